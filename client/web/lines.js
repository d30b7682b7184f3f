/* Lines of PROTOCOL.md, and the WebSocket that carries them. */

/* "OK watch game=3 next=0 : words" as { mark, words: ["watch"], items: {game: "3"}, human }. */
function parseLine(line) {
    const out = { mark: "", words: [], items: {}, human: "", line };
    const part = /\s*(?:([a-z_]+)=(?:"([^"]*)"|(\S*))|(\S+))/y;
    for (let found; (found = part.exec(line)) !== null;) {
        if (found[4] === ":") {
            out.human = line.slice(part.lastIndex + 1);
            break;
        }
        if (found[1] !== undefined) out.items[found[1]] = found[2] ?? found[3];
        else if (out.mark === "") out.mark = found[4];
        else out.words.push(found[4]);
    }
    return out;
}

const RETRY_LEAST_MS = 400,
    RETRY_MOST_MS = 10000,
    CONNECT_MS = 15000;
/* A ping follows so much silence: BRISK_MS while a game runs. A missing answer means that the
 * connection is dead: after STUCK_MS if the server has said that its storage makes answers
 * wait. */
const QUIET_MS = 45000,
    BRISK_MS = 5000,
    ANSWER_MS = 4000,
    STUCK_MS = 900000;

/* Connects, and connects again when the connection is lost. Calls onOpen after the
 * greeting, onNews for each "!" line, onState when the connection comes and goes. */
class Line {
    constructor(calls) {
        this.calls = calls;
        this.waiting = []; /* commands that have no answer yet */
        this.retryMs = RETRY_LEAST_MS;
        this.isOpen = false;
        this.isFinal = false; /* do not come back */
        this.isStuck = false; /* the server's disk or database makes answers wait */
        this.isBrisk = false; /* a game runs */
        addEventListener("online", () => (this.isStuck ? this.drop() : this.hurry()));
        document.addEventListener("visibilitychange", () => document.hidden || this.hurry());
    }

    connect() {
        clearTimeout(this.timer);
        this.timer = 0;
        this.socket = new WebSocket(`wss://${location.host}/ws`, "janggi.1");
        this.socket.onmessage = (message) => this.take(message.data);
        this.socket.onclose = () => this.lose();
        this.expect(CONNECT_MS);
    }

    /* Drops the connection if nothing comes for so long. */
    expect(ms) {
        clearTimeout(this.watchdog);
        this.watchdog = setTimeout(() => this.drop(), ms);
    }

    take(line) {
        if (line.startsWith("|")) this.waiting[0]?.block.push(line.slice(2));
        else if (line.startsWith("!")) this.hear(parseLine(line));
        else if (line.startsWith("*")) this.greet(parseLine(line));
        else this.answer(parseLine(line));
        if (this.isOpen) this.watch();
    }

    /* A ping waits behind the commands before it, so it can only test a connection on which
     * nothing waits. */
    watch() {
        if (this.waiting.length > 0)
            return this.expect(
                this.isStuck && this.waiting.some(({ command }) => command !== "ping")
                    ? STUCK_MS
                    : ANSWER_MS,
            );
        clearTimeout(this.watchdog);
        this.watchdog = setTimeout(() => this.ask("ping"), this.isBrisk ? BRISK_MS : QUIET_MS);
    }

    hear(news) {
        const why = news.words[0] === "notice" ? (news.items.why ?? "") : "";
        if (why.startsWith("storage-")) this.isStuck = why !== "storage-back";
        this.calls.onNews(news);
    }

    greet(greeting) {
        this.isOpen = true;
        this.retryMs = RETRY_LEAST_MS;
        this.calls.onState(true);
        this.calls.onOpen(greeting);
        this.onWoken?.();
    }

    /* Comes back for a reader who was away for so long that the connection was ended. */
    async wake() {
        if (this.isOpen || !this.isFinal) return;
        this.isFinal = false;
        this.connect();
        await new Promise((done) => {
            this.onWoken = done;
        });
    }

    answer(answer) {
        const asked = this.waiting.shift();
        if (asked === undefined) return;
        answer.ok = answer.mark === "OK";
        answer.block = asked.block;
        asked.done(answer);
    }

    /* Sends a command. Resolves to its answer, or to null if the connection was lost before. */
    ask(command) {
        return new Promise((done) => {
            if (!this.isOpen) return done(null);
            this.waiting.push({ command, done, block: [] });
            this.socket.send(command);
            if (this.waiting.length === 1) this.watch();
        });
    }

    /* Gives the connection up. The browser would call onclose only after the server's answer,
     * or a minute. */
    drop() {
        this.socket.onmessage = this.socket.onclose = null;
        this.socket.close();
        this.lose();
    }

    lose() {
        clearTimeout(this.watchdog);
        this.isOpen = this.isStuck = false;
        for (const asked of this.waiting.splice(0)) asked.done(null);
        this.onWoken?.();
        this.calls.onState(false);
        if (this.isFinal) return;
        this.timer = setTimeout(() => this.connect(), this.retryMs * (0.75 + Math.random() / 2));
        this.retryMs = Math.min(RETRY_MOST_MS, this.retryMs * 2);
    }

    /* Connects at once, because the network or the reader is back. */
    hurry() {
        if (this.timer !== 0 && !this.isFinal && !this.isOpen) this.connect();
        else if (this.isOpen && this.waiting.length === 0) this.ask("ping");
    }

    stop() {
        this.isFinal = true;
        this.drop();
    }
}
