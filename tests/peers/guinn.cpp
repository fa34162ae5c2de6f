// UGI for GuiNN Checkers, on standard input and output. `tests/peers/run build` compiles this with the sources of that
// program. It reads Nets206.gnn and database.jef from the working directory and plays without the opening book.
//
// Supported: ugi, isready, uginewgame, setoption name Hash, position, stop, quit, and go with depth, nodes or movetime.
// The end of the input ends the program, also during a search. GuiNN deepens by two plies from 2 on: an odd depth from 5 on
// is one ply less.

#include "engine.h"

#include <poll.h>
#include <unistd.h>

#include <atomic>
#include <cctype>
#include <chrono>
#include <ctime>
#include <iostream>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

// Processor time, so that other work on the machine takes nothing from a limit. The build gives GuiNN's own clock the same time.
struct Clock {
    using duration = std::chrono::nanoseconds;
    using rep = duration::rep;
    using period = duration::period;
    using time_point = std::chrono::time_point<Clock>;
    static constexpr bool is_steady = true;

    static time_point now() {
        timespec spent;
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &spent);
        return time_point(std::chrono::seconds(spent.tv_sec) + std::chrono::nanoseconds(spent.tv_nsec));
    }
};

// Drops what GuiNN writes to its window.
void DisplayText(const char*) {}

namespace {

// A path: the squares of a move in the numbers of Portable Draughts Notation.
using Path = std::vector<int>;

Path path_of(const Move& move) {
    int square = move.Dst();
    Path path = {StandardSquare(move.Src()), StandardSquare(square)};
    for (int jump = 0; jump + 1 < move.JumpLen(); jump++) {
        square += JumpAddDir[move.Dir(jump)];
        path.push_back(StandardSquare(square));
    }
    return path;
}

std::string text_of(const Move& move) {
    std::string text;
    for (int square : path_of(move)) {
        text += text.empty() ? "" : move.JumpLen() > 0 ? "x" : "-";
        text += std::to_string(square);
    }
    return text;
}

// Returns the move with these squares, or else with their ends: NO_MOVE if there is none or more than one.
Move move_named(Board board, const std::string& text) {
    Path squares;
    std::string words = text;
    for (char& letter : words) letter = std::isdigit(static_cast<unsigned char>(letter)) ? letter : ' ';
    std::istringstream numbers(words);
    for (int square; numbers >> square;) squares.push_back(square);
    MoveList legal;
    legal.FindMoves(board);
    Move named = NO_MOVE;
    int count = 0;
    for (int index = 0; index < legal.numMoves; index++) {
        const Path path = path_of(legal.moves[index]);
        if (path == squares) return legal.moves[index];
        if (squares == Path{path.front(), path.back()}) {
            named = legal.moves[index];
            count++;
        }
    }
    return count == 1 ? named : NO_MOVE;
}

void send(const std::string& line) { std::cout << line + "\n" << std::flush; }

// Lines of standard input, read without blocking.
class Input {
public:
    // Waits at most `milliseconds`, without limit if that is negative. Returns whether there is a line.
    bool wait(int milliseconds, std::string& line) {
        while (true) {
            const size_t end = unread.find('\n');
            if (end != std::string::npos) {
                line = unread.substr(0, end);
                unread.erase(0, end + 1);
                return true;
            }
            pollfd ready = {STDIN_FILENO, POLLIN, 0};
            if (has_ended || poll(&ready, 1, milliseconds) <= 0) return false;
            char bytes[4096];
            const ssize_t count = read(STDIN_FILENO, bytes, sizeof bytes);
            if (count > 0) unread.append(bytes, count);
            has_ended = count <= 0;
        }
    }

    bool has_ended = false;

private:
    std::string unread;
};

class Driver {
public:
    ~Driver() { stop(); }

    // Returns whether the networks and the table are complete.
    bool init() {
        InitBitTables();
        TranspositionTable::CreateHashFunction();
        checkerBoard.useOpeningBook = CB_BOOK_NONE;
        if (InitializeNeuralNets() != static_cast<int>(engine.evalNets.size())) return false;
        int width = 0;
        for (auto net : engine.evalNets) width = std::max(width, net->network.GetLayer(0)->outputCount);
        engine.searchThreadData.Alloc(width);
        InitializeGuiDatabases(engine.dbInfo);
        set_hash(64);
        return engine.dbInfo.loaded;
    }

    void run() {
        for (std::string line; !input.has_ended;) {
            if (input.wait(is_searching ? time_to_check() : -1, line)) {
                if (!obey(line)) return;
            } else if (is_searching) {
                check_limits();
            }
        }
    }

private:
    // Executes a line. Returns false for the last one.
    bool obey(const std::string& line) {
        std::istringstream words(line);
        std::string word;
        words >> word;
        if (word == "isready") {
            send("readyok");
            return true;
        }
        stop();
        if (word == "quit") return false;
        if (word == "ugi" || word == "uci") {
            send("id name GuiNN Checkers 2.06");
            send("option name Hash type spin default 64 min 1 max 4096");
            send(word + "ok");
        } else if (word == "uginewgame" || word == "ucinewgame") {
            new_game();
        } else if (word == "setoption") {
            std::string name, value;
            words >> word >> name >> word >> value;
            const int megabytes = std::atoi(value.c_str());
            if (name == "Hash" && megabytes >= 1 && megabytes <= 4096) set_hash(megabytes);
        } else if (word == "position") {
            set_position(words);
        } else if (word == "go") {
            go(words);
        }
        return true;
    }

    void set_hash(int megabytes) {
        engine.TTable.SetSizeMB(megabytes);
        new_game();
    }

    void new_game() {
        engine.TTable.Clear();
        engine.ttAge = 0;
        engine.NewGame(Board::StartPosition(), true);
    }

    // The moves go into the transcript, whose positions count as repetitions in the search.
    void set_position(std::istringstream& words) {
        std::string word, text = " ";
        while (words >> word && word != "moves") text += word == "fen" ? "" : word;
        Board board = Board::StartPosition();
        if (text != " startpos" && !board.FromString(text.c_str())) send("info string not a position:" + text);
        engine.transcript.Init(board);
        while (words >> word) {
            const Move move = move_named(board, word);
            if (move == NO_MOVE || engine.transcript.numMoves + MAX_SEARCHDEPTH + 2 >= MAX_GAMEMOVES) {
                send("info string not a legal move: " + word);
                break;
            }
            engine.transcript.AddMove(move);
            board.DoMove(move);
        }
        engine.board = board;
    }

    void go(std::istringstream& words) {
        int depth = 0;
        double milliseconds = 0;
        std::string word;
        max_nodes = 0;
        while (words >> word) {
            if (word == "depth") words >> depth;
            if (word == "nodes") words >> max_nodes;
            if (word == "movetime") words >> milliseconds;
        }
        if (depth <= 0 && max_nodes == 0 && milliseconds <= 0) milliseconds = 1000;
        is_timed = milliseconds > 0;
        deadline = Clock::now() + std::chrono::microseconds(static_cast<int64_t>(1000 * milliseconds)); // of processor time
        // GuiNN begins no iteration after 70 % of the time.
        engine.searchLimits.maxSeconds = is_timed ? static_cast<float>(milliseconds / 1000) : 1e6f;
        engine.searchLimits.bEndHard = true;
        engine.searchLimits.maxDepth = depth > 0 ? std::min(depth, EXPERT_DEPTH) : EXPERT_DEPTH;
        engine.bStopThinking = false;
        engine.computerColor = engine.board.sideToMove;
        // The transcript has the positions before this one.
        engine.boardHashHistory[engine.transcript.numMoves] = engine.board.CalcHashKey();
        has_answered = false;
        is_searching = true;
        worker = std::thread([this] { search(); });
    }

    void search() {
        const auto started = Clock::now();
        const BestMoveInfo best = ComputerMove(engine.board, engine.searchThreadData);
        const std::chrono::duration<double, std::milli> time = Clock::now() - started;
        const SearchInfo& info = engine.searchThreadData.displayInfo;
        if (best.move == NO_MOVE) {
            send("bestmove (none)");
        } else {
            const int plies = WinScore(0) - std::abs(best.eval);
            const bool is_decided = std::abs(best.eval) >= MIN_WIN_SCORE;
            std::ostringstream line;
            line << "info depth " << info.depth << " nodes " << info.nodes << " time " << static_cast<int>(time.count());
            line << " score " << (!is_decided ? "cp " : best.eval > 0 ? "win " : "loss ") << (is_decided ? plies : best.eval);
            line << " pv " << text_of(best.move);
            for (int index = 1; index < info.pv.count && info.pv.moves[0] == best.move; index++) {
                line << " " << text_of(info.pv.moves[index]);
            }
            send(line.str());
            send("bestmove " + text_of(best.move));
        }
        has_answered = true;
    }

    // Milliseconds to wait for input during a search before the limits are checked; -1 without a limit.
    int time_to_check() const {
        if (!is_timed || max_nodes > 0) return max_nodes > 0 ? 1 : -1;
        const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now()).count();
        return static_cast<int>(std::clamp<int64_t>(left, 1, 60'000));
    }

    // Ends a search whose limit is reached.
    void check_limits() {
        const bool is_late = is_timed && Clock::now() >= deadline;
        if (has_answered) stop();
        else if (is_late || (max_nodes > 0 && engine.searchThreadData.displayInfo.nodes >= max_nodes)) request_stop();
    }

    // GuiNN checks its clock and this request 20,000 nodes after the last check, which is too rare for short times. With
    // this count, which wraps around, the next node is due. A check at the same moment overwrites it: callers repeat the
    // request.
    static void request_stop() {
        engine.bStopThinking = true;
        engine.searchThreadData.displayInfo.nodesLastUpdate = -20000;
    }

    void stop() {
        if (!is_searching) return;
        for (; !has_answered; std::this_thread::sleep_for(std::chrono::microseconds(200))) request_stop();
        worker.join();
        is_searching = false;
    }

    Input input;
    std::thread worker;
    bool is_searching = false;
    std::atomic<bool> has_answered = false;
    bool is_timed = false;
    uint64_t max_nodes = 0;
    Clock::time_point deadline;
};

}  // namespace

int main() {
    static Driver driver;
    if (!driver.init()) {
        std::cerr << "guinn: Nets206.gnn and database.jef must be in the working directory\n";
        return 1;
    }
    driver.run();
}
