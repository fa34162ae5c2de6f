// Counts the move sequences of Kalah(6, 4) in plain C, as a measure for `mancalab dev perft`: an array of pits, a loop for each seed. As in
// `mancalab`, the moves of the last ply are counted and not played, and a game ends when a side has no seeds in its pits.
//
//   cc -O3 perft.c -o perft && ./perft 12     prints the number of sequences and the seconds of processor time
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// Pits 0 to 5 and store 6 are South's, 7 to 12 and 13 North's.
typedef struct {
    unsigned char pits[14];
    int side;
} Board;

static int filled(const Board *board, int side) {
    int count = 0;
    for (int pit = 0; pit < 6; pit++) count += board->pits[7 * side + pit] != 0;
    return count;
}

static Board play(Board board, int pit) {
    int own = 7 * board.side, at = own + pit, store = own + 6, other = 13 - own, seeds = board.pits[at];
    board.pits[at] = 0;
    while (seeds > 0) {
        at = at == 13 ? 0 : at + 1;
        if (at == other) continue;
        board.pits[at]++;
        seeds--;
    }
    if (at == store) return board;
    if (at >= own && at < store && board.pits[at] == 1 && board.pits[12 - at] > 0) {
        board.pits[store] += 1 + board.pits[12 - at];
        board.pits[at] = board.pits[12 - at] = 0;
    }
    board.side = 1 - board.side;
    return board;
}

static unsigned long long perft(const Board *board, int depth) {
    int own = filled(board, board->side);
    if (own == 0 || filled(board, 1 - board->side) == 0) return 0;
    if (depth == 1) return own;
    unsigned long long count = 0;
    for (int pit = 0; pit < 6; pit++) {
        if (board->pits[7 * board->side + pit] == 0) continue;
        Board child = play(*board, pit);
        count += perft(&child, depth - 1);
    }
    return count;
}

int main(int argc, char **argv) {
    int depth = argc == 2 ? atoi(argv[1]) : 0;
    if (depth < 1) return fprintf(stderr, "usage: perft DEPTH\n"), 2;
    Board start = {{4, 4, 4, 4, 4, 4, 0, 4, 4, 4, 4, 4, 4, 0}, 0};
    clock_t began = clock();
    unsigned long long count = perft(&start, depth);
    printf("%llu %.3f\n", count, (double)(clock() - began) / CLOCKS_PER_SEC);
    return 0;
}
