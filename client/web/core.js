/* The rules core: common/game and common/words in WebAssembly (wasm.h). */

/* The core is inside this script (pack.sh). A browser that cannot unpack it fetches it. */
/** @param {string | URL} files @param {string} name */
async function unpackCore(files, name) {
    if (name !== "core.wasm" || typeof DecompressionStream !== "function")
        return (await fetch(new URL(name, files))).arrayBuffer();
    const bytes = Uint8Array.from(atob(PACKED_CORE), (letter) => letter.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    return new Response(stream).arrayBuffer();
}

const LINEUPS = ["NBBN", "BNBN", "NBNB", "BNNB"];

/* The engine, in a thread of its own; what it says, or that it has failed. */
/** @param {string | URL} files @param {Omit<Task, "files">} task @param {(said: any) => void} take */
function engine(files, task, take) {
    const worker = new Worker(new URL("analyse.js", files));
    worker.onmessage = ({ data }) => take(data);
    worker.onerror = () => take({ error: "worker" });
    worker.postMessage({ ...task, files: String(files) });
    return worker;
}

class Core {
    /** @param {string | URL} files @param {string} [name] */
    static async load(files, name = "core.wasm") {
        const nothing = () => 0;
        const { instance } = await WebAssembly.instantiate(await unpackCore(files, name), {
            page: {
                translate: (/** @type {number} */ key) => core.translate(key),
                now_ms: () => performance.now(),
            },
            wasi_snapshot_preview1: { fd_write: nothing, fd_seek: nothing, fd_close: nothing },
        });
        /** @type {Core} */
        const core = new Core(
            files,
            /** @type {Calls} */ (/** @type {unknown} */ (instance.exports)),
        );
        return core;
    }

    /** @param {string | URL} files @param {Calls} calls */
    constructor(files, calls) {
        calls._initialize();
        this.files = files;
        this.calls = calls;
        this.page = calls.page_new();
        /** @type {Map<string, number>} */
        this.words = new Map(); /* translations that stand in its memory */
        /** @type {string[]} */
        this.events = []; /* that were applied */
        /** @type {Core | null} */
        this.saving = null;
    }

    /** @param {number} at */
    read(at) {
        const bytes = new Uint8Array(this.calls.memory.buffer, at);
        return new TextDecoder().decode(bytes.subarray(0, bytes.indexOf(0)));
    }

    /** @param {number} at @param {Uint8Array} bytes */
    write(at, bytes) {
        new Uint8Array(this.calls.memory.buffer, at, bytes.length).set(bytes);
    }

    /* A page of its own holds each text, so that it stays. */
    /** @param {number} key */
    translate(key) {
        const name = this.read(key);
        const found = translation(name);
        if (found === undefined) return 0;
        let at = this.words.get(name);
        if (at === undefined) {
            const bytes = new TextEncoder().encode(found + "\0");
            at = this.calls.page_room(this.calls.page_new(), bytes.length);
            this.write(at, bytes);
            this.words.set(name, at);
        }
        return at;
    }

    /** @param {string} text */
    give(text) {
        const bytes = new TextEncoder().encode(text + "\0");
        this.write(this.calls.page_room(this.page, bytes.length), bytes);
    }

    answer() {
        return this.read(this.calls.page_answer(this.page));
    }

    clear() {
        this.calls.page_clear(this.page);
        this.events = [];
    }

    /* True if the event follows. One of a kind that is not known changes nothing. */
    /** @param {string} event */
    apply(event) {
        this.give(event);
        const isKnown = this.calls.page_apply(this.page);
        if (isKnown > 0) this.events.push(event);
        return isKnown !== 0;
    }

    /** @param {number} ply */
    state(ply) {
        this.calls.page_state(this.page, ply);
        return parseLine("state " + this.answer()).items;
    }

    /** @param {number} from */
    plies(from) {
        this.calls.page_plies(this.page, from);
        const words = this.answer().split(" ").filter(Boolean);
        return words.map((text) => {
            const [move, piece, taken, check] = text.split("/");
            return { move, piece, taken, isCheck: check === "1" };
        });
    }

    /* The last move as a sentence. */
    last() {
        this.calls.page_last(this.page);
        return this.answer();
    }

    moves() {
        this.calls.page_moves(this.page);
        const list = this.answer();
        return list === "-" ? [] : list.split(",");
    }

    /* { move } or { at, words }, or null for what is not a move. */
    /** @param {string} text */
    judge(text) {
        this.give(text);
        const verdict = this.calls.page_judge(this.page);
        if (verdict < 0) return null;
        return verdict === 1 ? { move: this.answer() } : parseLine("fault " + this.answer()).items;
    }

    /* ", private, rated": the manners among the items of a line. */
    /** @param {Items} items */
    manners(items) {
        const hasPosition = items.position !== undefined && items.handicap === undefined;
        const { position: _text, ...terms } = items /* which has spaces */,
            all = Object.entries(hasPosition ? { ...terms, position: "-" } : terms),
            plain = all.filter(([, value]) => !value.includes(" "));
        this.give(plain.map((pair) => pair.join("=")).join(" "));
        this.calls.page_manners(this.page);
        return this.answer();
    }

    /* The words of a refusal or a notice in the reader's language; `until` stands for its
     * until_s. */
    /** @param {Parsed} line @param {string} until */
    message({ line, human }, until) {
        this.give(line.replace(/ until_s=\d+/, ` until_s="${until}"`));
        this.calls.page_message(this.page);
        return this.answer() || human;
    }

    /* --- Saving: by a second core, which has this game too --- */

    async saver() {
        this.saving ??= await Core.load(this.files, "save.wasm");
        this.saving.clear();
        for (const event of this.events) this.saving.apply(event);
        return this.saving;
    }

    /** @param {number} ply @param {boolean} isFlipped */
    async picture(ply, isFlipped) {
        const saver = await this.saver();
        saver.calls.page_svg(saver.page, ply, isFlipped ? 1 : 0);
        return saver.answer();
    }

    /* "gib" or "pgn"; "" before the set-up is done. */
    /** @param {string} format */
    async exported(format) {
        const saver = await this.saver();
        saver.give(this.events.map((event) => event + "\n").join(""));
        return saver.calls.page_export(saver.page, format === "gib" ? 1 : 0) === 1
            ? saver.answer()
            : "";
    }
}
