// The rules core of the page against the tables of the rules: every legal move of every position.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import test from "node:test";

const build = process.env.BUILD ?? "build";
const nothing = () => 0;

async function load(name) {
    const { instance } = await WebAssembly.instantiate(readFileSync(join(build, "web", name)), {
        page: { translate: nothing, now_ms: () => performance.now() }, wasi_snapshot_preview1: { fd_write: nothing, fd_seek: nothing, fd_close: nothing } });
    instance.exports._initialize();
    return instance.exports;
}

const core = await load("core.wasm");
const page = core.page_new();

function give(text, to = core, into = page) {
    const bytes = new TextEncoder().encode(text + "\0");
    const at = to.page_room(into, bytes.length);
    new Uint8Array(to.memory.buffer, at, bytes.length).set(bytes);
}

function answer(from = core, of = page) {
    const bytes = new Uint8Array(from.memory.buffer, from.page_answer(of));
    return new TextDecoder().decode(bytes.subarray(0, bytes.indexOf(0)));
}

function begin(rules, position) {
    core.page_clear(page);
    give(`start red=hong blue=kim rules=${rules} time=none position="${position}"`);
    return core.page_apply(page);
}

const rows = (name) => readFileSync(join("tests", "data", name), "utf8").trim().split("\n").map((row) => JSON.parse(row));
const rulesets = ["martin", "courier", "vchess", "kja"];

test("every legal move of every position", () => {
    let pairs = 0, moves = 0;
    for (const row of rows("positions.jsonl"))
        for (const rules of rulesets.filter((name) => Array.isArray(row[name]))) {
            assert.equal(begin(rules, row.fen), 1, `${row.id} ${rules}`);
            core.page_moves(page);
            const found = answer() === "-" ? [] : answer().split(",").sort();
            // A position in which the game is over has no move to make.
            core.page_state(page, -1);
            if (/turn=none/.test(answer())) continue;
            assert.deepEqual(found, [...row[rules]].sort(), `${row.id} ${rules}`);
            pairs++;
            moves += found.length;
        }
    assert.ok(pairs > 1000 && moves > 50000, `${pairs} positions, ${moves} moves`);
    console.log(`# ${pairs} positions, ${moves} moves`);
});

test("whole games, move by move", () => {
    for (const row of rows("games.jsonl")) {
        assert.equal(begin(row.ruleset, row.fen), 1, row.id);
        let side = row.fen.split(" ")[1] === "r" ? "red" : "blue";
        row.moves.forEach((move, i) => {
            give(`move ${i + 1} ${side} ${move}`);
            assert.equal(core.page_apply(page), 1, `${row.id} ${i + 1} ${move}`);
            side = side === "red" ? "blue" : "red";
        });
        core.page_plies(page, 1);
        assert.deepEqual(answer().trim().split(" ").map((ply) => ply.split("/")[0]), row.moves, row.id);
    }
});

test("a refusal says why, and where", () => {
    core.page_clear(page);
    for (const event of ["start red=hong blue=kim rules=martin time=none", "setup red BNNB", "setup blue BNNB"]) {
        give(event);
        assert.equal(core.page_apply(page), 1, event);
    }
    give("c0d2");
    assert.equal(core.page_judge(page), 1, answer());
    give("a0a5");
    assert.equal(core.page_judge(page), 0);
    assert.match(answer(), /^why=path-blocked at=A3 words="the pawn on A3 is in the rook's way to A5"$/);
    for (const [typed, wanted] of [["nA0-A2", "knight"], ["ka0a2", "king"]]) {
        give(typed);
        assert.equal(core.page_judge(page), 0, typed + " names another piece");
        assert.equal(answer(), `why=wrong-piece at=A0 words="the piece on A0 is a rook, not a ${wanted}"`);
    }
    give("ra0a2");
    assert.equal(core.page_judge(page), 1, answer());
    assert.equal(answer(), "A0-A2");
    give("hello");
    assert.equal(core.page_judge(page), -1);
});

test("the last move is a sentence, the one of a terminal with --speech", () => {
    begin("courier", "4k4/9/9/9/9/9/9/3p5/9/R2K5 r - 0 0 1");
    core.page_last(page);
    assert.equal(answer(), "");
    for (const [move, sentence] of [["red A0-A2", "Red rook A0 to A2."], ["blue D2-E2", "Blue pawn D2 to E2."],
                                    ["red A2-E2", "Red rook A2 takes pawn E2."], ["blue E9-D9", "Blue king E9 to D9."],
                                    ["red pass", "Red passes."]]) {
        core.page_plies(page, 1);
        give(`move ${answer().split(" ").length} ${move}`);
        assert.equal(core.page_apply(page), 1, move);
        core.page_last(page);
        assert.equal(answer(), sentence);
    }
});

test("what does not follow is refused", () => {
    core.page_clear(page);
    give("move 1 red B0-C2");
    assert.equal(core.page_apply(page), 0);
    give("a-kind-of-tomorrow 7");
    assert.equal(core.page_apply(page), -1);
});

test("the manners of a game are words", () => {
    for (const [items, words] of [["", ""], ["side=red by=hong rules=martin", ""], ["private=yes takebacks=no rated=yes", ", private, no takebacks, rated"],
                                  ["rules=kja setup=NBNB/NBBN handicap=red:r", ", line-ups red NBNB, blue NBBN, red without rook (a lead of 13 points for blue)"],
                                  ["delay=1 position=-", ", watchers are 1 ply behind, from a custom position"], ["delay=900 talk=perhaps", ""]]) {
        give(items);
        core.page_manners(page);
        assert.equal(answer(), words, items);
    }
});

test("what saves a game is a core of its own", async () => {
    assert.equal(core.page_export, undefined, "the first visit does not pay for it");
    const saver = await load("save.wasm"), game = saver.page_new(), say = () => answer(saver, game);
    const events = ["start red=hong blue=kim rules=martin time=none", "setup red BNNB", "setup blue BNNB", "move 1 red A3-A4", "move 2 blue A6-A5"];
    give(events[0] + "\n", saver, game);
    assert.equal(saver.page_export(game, 1), 0, "no moves are possible yet");
    for (const event of events) {
        give(event, saver, game);
        assert.equal(saver.page_apply(game), 1, event);
    }
    give(events.map((event) => event + "\n").join(""), saver, game);
    assert.equal(saver.page_export(game, 1), 1);
    assert.match(say(), /초대국자 "kim"[^]*총수 "2"/);
    give(events.map((event) => event + "\n").join(""), saver, game);
    assert.equal(saver.page_export(game, 0), 1);
    assert.match(say(), /\[Variant "Janggi"\]/);
    saver.page_svg(game, -1, 0);
    assert.match(say(), /^<\?xml[^]*<svg [^]*<\/svg>\s*$/);
});

test("the rules in words as janggi rules has them, one paragraph a line", async () => {
    const saver = await load("save.wasm"), game = saver.page_new();
    for (const name of rulesets) {
        give(name, saver, game);
        assert.equal(saver.page_guide(game), 1, name);
        const paragraphs = answer(saver, game).trimEnd().split("\n");
        const printed = execFileSync(join(build, "janggi"), ["rules", name], { encoding: "utf8" }).replace(/\s+/g, " ");
        assert.ok(paragraphs.length > 4 && paragraphs.length < 12, String(paragraphs.length));
        // Without the pieces, which the page shows on boards, and "See also".
        let at = 0;
        for (const paragraph of paragraphs) {
            at = printed.indexOf(paragraph.trim().replace(/\s+/g, " "), at);
            assert.ok(at >= 0, paragraph);
        }
    }
    give("chess", saver, game);
    assert.equal(saver.page_guide(game), 0);
});

// The same searches in the same order, so the same figures.
test("an analysis in the browser is that of janggi analyse", async () => {
    const events = readFileSync(join("tests", "data", "mate_game.txt"), "utf8").trim().split("\n");
    const file = join(mkdtempSync(join(tmpdir(), "janggi-web-")), "game.record");
    writeFileSync(file, ["janggi-record 1", ...events.map((event, number) => `${number} ${event}`), ""].join("\n"));
    const wanted = JSON.parse(execFileSync(join(build, "janggi"), ["analyse", "--seconds", "600", "--to", "json", file], { encoding: "utf8" }));
    rmSync(dirname(file), { recursive: true });
    const analyst = await load("analyse.wasm"), game = analyst.page_new();
    assert.equal(analyst.page_analysis_new(game), 0, "there is no game yet");
    for (const event of events) {
        give(event, analyst, game);
        assert.equal(analyst.page_apply(game), 1, event);
    }
    const analysis = analyst.page_analysis_new(game);
    while (analyst.page_analysis_step(analysis) === 1)
        assert.ok(analyst.page_analysis_percent(analysis) >= 0 && analyst.page_analysis_percent(analysis) <= 100);
    assert.equal(analyst.page_analysis_percent(analysis), 100);
    analyst.page_analysis_graph(analysis, game);
    const graph = answer(analyst, game).split(" ").map((word) => word.split("/"));
    assert.equal(graph.length, wanted.moves.length);
    wanted.moves.forEach(({ ply, chance }) => assert.ok(Math.abs(graph[ply][0] - chance * 100) < 0.56, `${ply}: ${graph[ply][0]} for ${chance}`));
    assert.deepEqual(graph.map(([, mark]) => mark ?? ""), wanted.moves.map((place) => place.mark ?? ""));
    assert.deepEqual(graph.filter((words) => words.length > 1).map((words) => words[3]), wanted.moves.filter((place) => place.mark).map((place) => place.best[0]));
    analyst.page_analysis_free(analysis);
});
