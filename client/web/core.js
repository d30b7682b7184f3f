/* The rules core: common/game and common/words in WebAssembly (wasm.h). */

/* The core is inside this script (pack.sh). A browser that cannot unpack it fetches it. */
async function unpackCore(files) {
    if (typeof DecompressionStream !== "function")
        return (await fetch(new URL("core.wasm", files))).arrayBuffer();
    const bytes = Uint8Array.from(atob(PACKED_CORE), (letter) => letter.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    return new Response(stream).arrayBuffer();
}

class Core {
    static async load(files) {
        const core = new Core();
        const nothing = () => 0;
        const { instance } = await WebAssembly.instantiate(await unpackCore(files), {
            page: { translate: (key) => core.translate(key) },
            wasi_snapshot_preview1: { fd_write: nothing, fd_seek: nothing, fd_close: nothing },
        });
        core.calls = instance.exports;
        core.calls._initialize();
        core.words = new Map(); /* translations that stand in its memory */
        core.page = core.calls.page_new();
        return core;
    }

    read(at) {
        const bytes = new Uint8Array(this.calls.memory.buffer, at);
        return new TextDecoder().decode(bytes.subarray(0, bytes.indexOf(0)));
    }

    write(at, bytes) {
        new Uint8Array(this.calls.memory.buffer, at, bytes.length).set(bytes);
    }

    /* A page of its own holds each text, so that it stays. */
    translate(key) {
        const name = this.read(key);
        const found = catalogue.get(name);
        if (found === undefined) return 0;
        if (!this.words.has(name)) {
            const bytes = new TextEncoder().encode(found + "\0");
            const at = this.calls.page_room(this.calls.page_new(), bytes.length);
            this.write(at, bytes);
            this.words.set(name, at);
        }
        return this.words.get(name);
    }

    give(text) {
        const bytes = new TextEncoder().encode(text + "\0");
        this.write(this.calls.page_room(this.page, bytes.length), bytes);
    }

    answer() {
        return this.read(this.calls.page_answer(this.page));
    }

    clear() {
        this.calls.page_clear(this.page);
    }

    /* True if the event follows. One of a kind that is not known changes nothing. */
    apply(event) {
        this.give(event);
        return this.calls.page_apply(this.page) !== 0;
    }

    state(ply) {
        this.calls.page_state(this.page, ply);
        return parseLine("state " + this.answer()).items;
    }

    plies(from) {
        this.calls.page_plies(this.page, from);
        return this.answer().split(" ").filter(Boolean).map((text) => {
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
    judge(text) {
        this.give(text);
        const verdict = this.calls.page_judge(this.page);
        if (verdict < 0) return null;
        return verdict === 1 ? { move: this.answer() } : parseLine("fault " + this.answer()).items;
    }

    picture(ply, isFlipped) {
        this.calls.page_svg(this.page, ply, isFlipped ? 1 : 0);
        return this.answer();
    }

    /* "gib" or "pgn"; null before the set-up is done. */
    exported(format) {
        this.give(format);
        return this.calls.page_export(this.page) === 1 ? this.answer() : null;
    }
}
