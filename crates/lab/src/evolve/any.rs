//! What the one list of [problems](super::problems) and that of [tasks](super::tasks) have in common: settings and runs of any kind of
//! it, each handed on to its own.

use crate::document::nearest;

/// Makes `AnySettings` and `AnyRun` of the kinds of a list: a name for each, and what `$run` runs of it.
///
/// `seen as $seen, made by $show` is what there is to see of a run in the list's `Sight`, and what makes it of a run's own view; `$unknown`
/// says that no preset has a name. Whatever only one of the lists asks of its kinds, the list adds itself.
macro_rules! any_of {
    (
        $run:ident: $($name:ident($kind:ty)),+;
        $noun:literal, watched as $watched:ty, seen as $seen:ty, made by $show:path, presets unknown to $unknown:ident
    ) => {
        #[doc = concat!("The settings of a run of any ", $noun, ".")]
        #[derive(Clone, PartialEq, Debug)]
        pub enum AnySettings { $($name(<$run<$kind> as Run>::Settings)),+ }

        #[doc = concat!("A run of any ", $noun, ".")]
        pub struct AnyRun {
            settings: Arc<AnySettings>,
            run: Inner,
        }

        enum Inner { $($name(Box<$run<$kind>>)),+ }

        #[doc = concat!("A run of any ", $noun, " as it stands, with its settings.")]
        #[derive(Clone)]
        pub struct Sight {
            pub settings: Arc<AnySettings>,
            pub view: $seen,
        }

        impl AnySettings {
            #[doc = concat!("The presets of all ", $noun, "s: (name, what it is).")]
            pub fn presets() -> Vec<(&'static str, &'static str)> {
                [$(<$kind>::PRESETS),+].into_iter().flatten().copied().collect()
            }

            /// The settings of a preset, with seed 1.
            ///
            /// # Errors
            /// No preset is called so.
            pub fn preset(name: &str) -> Result<AnySettings, String> {
                $(if let Some(settings) = <$kind>::preset(name) {
                    return Ok(AnySettings::$name(settings));
                })+
                Err($unknown(name))
            }

        }

        impl Listed for AnySettings {
            fn fields(&self) -> Vec<Field> {
                match self { $(AnySettings::$name(settings) => settings.fields()),+ }
            }

            fn set(&mut self, key: &str, value: &str) -> Result<(), Refusal> {
                match self { $(AnySettings::$name(settings) => settings.set(key, value)),+ }
            }
        }

        impl AnyRun {
            pub fn settings(&self) -> &AnySettings {
                &self.settings
            }

            /// What there is to see but for the settings.
            pub fn sight(&self) -> $seen {
                match &self.run { $(Inner::$name(run) => $show(run.view())),+ }
            }
        }

        impl Run for AnyRun {
            type Settings = AnySettings;
            type View = Sight;
            type Watched = $watched;

            fn forms() -> Vec<Form> {
                [$(<$run<$kind>>::forms()),+].concat()
            }

            fn manifest(settings: &AnySettings) -> Manifest {
                match settings { $(AnySettings::$name(settings) => <$run<$kind>>::manifest(settings)),+ }
            }

            fn columns(settings: &AnySettings) -> &'static str {
                match settings { $(AnySettings::$name(settings) => <$run<$kind>>::columns(settings)),+ }
            }

            fn settings_text(settings: &AnySettings) -> String {
                settings.to_text()
            }

            /// The manifest's kind says whose they are.
            fn read_settings(manifest: &Manifest, table: &Table<'_>, problems: &mut Vec<Mistake>) -> AnySettings {
                $(if manifest.kind == <$kind>::KIND {
                    return AnySettings::$name(<$run<$kind>>::read_settings(manifest, table, problems));
                })+
                problems.push(Mistake::new(table.at(), format!("no {} has the kind '{}'", $noun, manifest.kind)));
                AnySettings::default()
            }

            fn files(settings: &AnySettings) -> Vec<(String, u64)> {
                match settings { $(AnySettings::$name(settings) => <$run<$kind>>::files(settings)),+ }
            }

            fn extended(settings: &AnySettings, generations: u64) -> Result<AnySettings, String> {
                match settings {
                    $(AnySettings::$name(settings) => <$run<$kind>>::extended(settings, generations).map(AnySettings::$name)),+
                }
            }

            fn start(settings: AnySettings) -> Result<AnyRun, String> {
                let run = match settings.clone() { $(AnySettings::$name(settings) => Inner::$name(Box::new($run::start(settings)?))),+ };
                Ok(AnyRun { settings: Arc::new(settings), run })
            }

            fn advance(&mut self, crew: &Crew, budget: Budget) -> Progress {
                match &mut self.run { $(Inner::$name(run) => run.advance(crew, budget)),+ }
            }

            fn generation(&self) -> Option<u64> {
                match &self.run { $(Inner::$name(run) => run.generation()),+ }
            }

            fn is_over(&self) -> bool {
                match &self.run { $(Inner::$name(run) => run.is_over()),+ }
            }

            fn save(&self, crew: &Crew) -> Vec<u8> {
                match &self.run { $(Inner::$name(run) => run.save(crew)),+ }
            }

            fn restore(settings: AnySettings, state: &[u8], rows: Rows<'_>) -> Result<AnyRun, String> {
                let run = match settings.clone() {
                    $(AnySettings::$name(settings) => Inner::$name(Box::new($run::restore(settings, state, rows)?))),+
                };
                Ok(AnyRun { settings: Arc::new(settings), run })
            }

            fn glimpse(settings: &AnySettings, state: &[u8], seen: &$watched) -> Option<Sight> {
                let view: $seen = match settings {
                    $(AnySettings::$name(settings) => $show(<$run<$kind>>::glimpse(settings, state, seen)?)),+
                };
                Some(Sight { settings: Arc::new(settings.clone()), view })
            }

            fn recall(&mut self, timings: &str) {
                match &mut self.run { $(Inner::$name(run) => run.recall(timings)),+ }
            }

            fn best(&self) -> String {
                match &self.run { $(Inner::$name(run) => run.best()),+ }
            }

            fn view(&self) -> Sight {
                Sight { settings: Arc::clone(&self.settings), view: self.sight() }
            }
        }
    };
}
pub(super) use any_of;

/// That no preset has this name; these are known.
pub(super) fn unknown(name: &str, presets: impl Iterator<Item = &'static str>, besides: &[&str]) -> String {
    let mut names: Vec<&str> = presets.collect();
    let near = nearest(name, names.iter().copied());
    let hint = near.map(|near| format!(" (did you mean '{near}'?)")).unwrap_or_default();
    names.extend(besides);
    format!("no preset is called '{name}'{hint}; known: {}", names.join(", "))
}
