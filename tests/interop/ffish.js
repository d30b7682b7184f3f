// Follows the games of play_games (standard input) with ffish, which is Fairy-Stockfish for
// node, and compares after every ply: the moves there are at the end of a game and in between,
// whether the game is over, and who has won. "not ok" for each game that differs.
'use strict';

delete globalThis.fetch; // ffish would look for its own file on the network
const ffish = require('ffish');
const readline = require('readline');

const counts = {};
let games = 0, plies = 0, insufficient = 0, faults = 0;

function fault(line, words) {
    faults++;
    console.log(`not ok ffish: ${words}: ${line}`);
}

// The engine calls a game drawn when it thinks that neither side can ever mate. RULES.md knows
// no such end: by J2 the game goes on to one that is decided by points. From there on only the
// moves are compared.
function isItsOwnDraw(board) {
    return board.result(true) === '1/2-1/2' && board.isInsufficientMaterial();
}

// The result by points of a position (J1): White of the engine, our Blue, moves first.
function winnerByPoints(board) {
    const worth = {r: 13, c: 7, n: 5, b: 3, a: 3, p: 2};
    let balance = -1.5;

    for (const letter of board.fen().split(' ')[0]) {
        const points = worth[letter.toLowerCase()] || 0;
        balance += letter === letter.toLowerCase() ? -points : points;
    }
    return balance > 0 ? '1-0' : '0-1';
}

// A perpetual check that is complete with the 100th ply without a capture: J9 asks for the
// repetition first and so has a loser, the engine for the captures first and counts points.
function areTwoEndsAtOnce(board, reason) {
    return reason === 'perpetual_check' && board.halfmoveClock() >= 100;
}

function follow(line) {
    const [fen, text, result, reason] = line.split('|');
    const board = new ffish.Board('janggi', fen);
    let isDrawn = false;
    let found = '*';

    games++;
    for (const move of text.split(' ')) {
        found = board.result(true);
        isDrawn = isDrawn || isItsOwnDraw(board);
        if (found !== '*' && !isDrawn)
            return fault(line, `over with ${found} before ${move}`);
        if (!board.push(move))
            return fault(line, `${move} is no move there`);
        plies++;
    }
    found = board.result(true);
    if (isDrawn || isItsOwnDraw(board))
        insufficient++;
    else if (found !== (areTwoEndsAtOnce(board, reason) ? winnerByPoints(board) : result))
        fault(line, `the engine says ${found}, we ${result} (${reason})`);
    else
        counts[reason] = (counts[reason] || 0) + 1;
    board.delete();
}

ffish.onRuntimeInitialized = () => {
    new ffish.Board('janggi').delete(); // the engine loads its variants when the first board is created
    if (!ffish.variants().split(' ').includes('janggi'))
        throw new Error('this ffish has no janggi');
    readline.createInterface({input: process.stdin})
        .on('line', (line) => {
            if (line.includes('|'))
                follow(line);
            else
                console.log(line);
        })
        .on('close', () => {
            console.log(`# ${plies} plies; ends: ${JSON.stringify(counts)}; up to a draw for ` +
                        `want of material, which only the engine has: ${insufficient}`);
            if (faults === 0 && games > 0)
                console.log(`ok ffish: ${games} games of kja end as they do there`);
            process.exit(faults === 0 && games > 0 ? 0 : 1);
        });
};
