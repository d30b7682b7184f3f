// Reads the PGN of record_games (standard input) with ffish, as pychess would, and compares the
// moves that it finds with those that were played. "not ok" for each game that differs.
//
// The engine's rules are those of kja. It does not let the kings stay bare but by a pass, as courier
// and vchess do: there it stops before the last ply of a game that bare kings ended, and only there.
'use strict';

delete globalThis.fetch; // ffish would look for its own file on the network
const ffish = require('ffish');
const readline = require('readline');

let games = 0, plies = 0, short = 0, faults = 0;

function fault(words, head) {
    faults++;
    console.log(`not ok record_ffish: ${words}: ${head}`);
}

function mayBeShort(rules, reason, missing) {
    return rules !== 'kja' && reason === 'bikjang' && missing <= 1;
}

function check(head, pgn) {
    const [rules, reason, ...moves] = head.split(' ');
    const game = ffish.readGamePGN(pgn);
    const found = game.mainlineMoves().trim().split(' ').filter(move => move !== '');

    games++;
    plies += moves.length;
    if (game.headers('Variant') !== 'Janggi' || game.headers('White') !== 'blue')
        fault('the tags are not understood', head);
    if (found.join(' ') !== moves.slice(0, found.length).join(' '))
        fault('other moves are read', head);
    else if (found.length < moves.length && mayBeShort(rules, reason, moves.length - found.length))
        short++;
    else if (found.length !== moves.length)
        fault(`${found.length} of ${moves.length} moves are read`, head);
    game.delete();
}

ffish.onRuntimeInitialized = () => {
    let head = '', pgn = [];

    readline.createInterface({input: process.stdin}).on('line', line => {
        if (line === '.') {
            check(head, pgn.join('\n') + '\n');
            head = '';
            pgn = [];
        } else if (head === '') {
            head = line;
        } else {
            pgn.push(line);
        }
    }).on('close', () => {
        if (games === 0)
            console.log('not ok record_ffish: no games');
        else if (faults === 0)
            console.log(`ok record_ffish: ${games} games, ${plies} moves read from PGN, ` +
                        `${short} games short of their end`);
        process.exit(games === 0 || faults > 0 ? 1 : 0);
    });
};
