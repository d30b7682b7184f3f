/* The worker with the engine as WebAssembly (wasm_analyse.h, wasm_computer.h) and a core of its
 * own. It analyses a game: given its events, it posts { percent, graph } from time to time, and
 * { isDone } at the end. Or it plays one: given a side and a level too, it is the referee and
 * the opponent, and posts { events, answer } for each { verb, text }. */

const POST_MS = 300,
    HINT_LEVEL = 10;

/** @param {string} _words @returns {string | undefined} */
function translation(_words) {
    return undefined; /* it answers with numbers, moves and events only */
}

/** @param {string} text @returns {Place[]} */
function parseGraph(text) {
    const words = text.split(" ").filter(Boolean);
    return words.map((word) => {
        const [chance, sign = "", lost = 0, best = ""] = word.split("/"),
            mark = /** @type {Place["mark"]} */ (sign);
        return { chance: Number(chance), mark, lost: Number(lost), best };
    });
}

/** @param {Task} task */
async function load({ files, events }) {
    const core = await Core.load(files, "analyse.wasm");
    for (const event of events) core.apply(event);
    return core;
}

/** @param {Task} data */
async function analyse(data) {
    const core = await load(data);
    const { calls, page } = core,
        analysis = calls.page_analysis_new(page);
    const post = (/** @type {{ isDone?: boolean }} */ more = {}) => {
        calls.page_analysis_graph(analysis, page);
        postMessage({
            percent: calls.page_analysis_percent(analysis),
            graph: parseGraph(core.answer()),
            ...more,
        });
    };
    let posted = 0;
    while (analysis !== 0 && calls.page_analysis_step(analysis) === 1) {
        if (performance.now() - posted < POST_MS) continue;
        posted = performance.now();
        post();
    }
    if (analysis !== 0) post({ isDone: true });
}

/* A game against the computer. */
class Game {
    /** @param {Task} task */
    static async begin(task) {
        const game = new Game(await load(task), task);
        game.reply();
        return game;
    }

    /** @param {Core} core @param {Task} task */
    constructor(core, { level = HINT_LEVEL, side }) {
        this.core = core;
        this.level = level;
        this.side = side; /* the computer's */
        /** @type {Map<number, number>} */
        this.searches = new Map(); /* by level */
    }

    /* What that did, as events, which are applied. */
    /** @param {string} text */
    play(text) {
        this.core.give(text);
        this.core.calls.page_play(this.core.page);
        return this.take();
    }

    /* Applies what the last call has answered, and returns it. */
    take() {
        const events = this.core.answer().split("\n").filter(Boolean);
        for (const event of events) this.core.apply(event);
        return events;
    }

    /* The opponent has a search of its own: a weak one must not know what a hint has found. */
    /** @param {number} level */
    think(level) {
        const { calls, page } = this.core,
            seed = Math.floor(Math.random() * 0x7fffffff);
        const search = this.searches.get(level) ?? calls.page_search_new();
        this.searches.set(level, search);
        calls.page_play_engine(page, search, level, seed);
    }

    /* The computer moves as long as it is its turn. */
    reply() {
        for (;;) {
            const { turn, phase } = this.core.state(-1);
            if (turn !== this.side) return;
            /** @type {string[]} */
            let events = [];
            if (phase === "setup")
                events = this.play("setup " + LINEUPS[Math.floor(Math.random() * LINEUPS.length)]);
            if (phase === "play") {
                this.think(this.level);
                events = this.take();
            }
            if (events.length === 0) return;
            postMessage({ events });
        }
    }

    /* A takeback goes back to where the person was to move. */
    /** @param {Act} act */
    act({ verb, text }) {
        const { turn, plies, phase } = this.core.state(-1),
            back = phase === "play" && turn === this.side ? 1 : 2;
        if (verb === "hint") {
            this.think(HINT_LEVEL);
            const move = this.core.answer().trim().split(" ")[3]; /* of "move 3 red B0-C2" */
            return postMessage({ events: [], answer: { ok: true, move } });
        }
        if (verb === "resign") text = this.side === "red" ? "blue" : "red";
        if (verb === "takeback") text = String(Math.max(0, Number(plies) - back));
        const events = this.play(`${verb} ${text}`);
        postMessage({ events, answer: { ok: events.length > 0 } });
        this.reply();
    }
}

/* One message after the other: the computer may be thinking. */
/** @type {Promise<Game | null>} */
let playing = Promise.resolve(null);

/** @param {Game | null} game @param {Task | Act} data @returns {Promise<Game | null>} */
async function take(game, data) {
    if ("verb" in data) game?.act(data);
    else if (data.side !== undefined) return Game.begin(data);
    else await analyse(data);
    return game;
}

onmessage = ({ data }) => {
    playing = playing.then((game) => take(game, data));
    playing.catch((error) => postMessage({ error: String(error) }));
};
