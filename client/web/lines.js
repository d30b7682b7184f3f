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

const RETRY_LEAST_MS = 400, RETRY_MOST_MS = 10000, QUIET_MS = 45000, STUCK_PROBES = 20;

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
        this.stuckProbes = 0; /* since the last line */
        addEventListener("online", () => this.isStuck ? this.socket.close() : this.hurry());
        document.addEventListener("visibilitychange", () => document.hidden || this.hurry());
    }

    connect() {
        clearTimeout(this.timer);
        this.timer = 0;
        this.socket = new WebSocket(`wss://${location.host}/ws`, "janggi.1");
        this.socket.onmessage = (message) => this.take(message.data);
        this.socket.onclose = () => this.lose();
    }

    take(line) {
        clearTimeout(this.watchdog);
        this.watchdog = setTimeout(() => this.probe(), QUIET_MS);
        this.stuckProbes = 0;
        if (line.startsWith("|")) this.waiting[0]?.block.push(line.slice(2));
        else if (line.startsWith("!")) this.hear(parseLine(line));
        else if (line.startsWith("*")) this.greet(parseLine(line));
        else this.answer(parseLine(line));
    }

    hear(news) {
        const why = news.words[0] === "notice" ? news.items.why ?? "" : "";
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
        await new Promise((done) => { this.onWoken = done; });
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
            this.waiting.push({ done, block: [] });
            this.socket.send(command);
        });
    }

    /* Tests a silent connection: it may be dead without a sign of that. While the server
     * makes an answer wait, it would not answer this either: only a long silence is one. */
    probe() {
        if (!this.isOpen) return;
        clearTimeout(this.watchdog);
        if (this.isStuck && this.waiting.length > 0 && ++this.stuckProbes <= STUCK_PROBES) {
            this.watchdog = setTimeout(() => this.probe(), QUIET_MS);
            return;
        }
        this.ask("ping");
        this.watchdog = setTimeout(() => this.socket.close(), 10000);
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
        else if (this.isOpen) this.probe();
    }

    stop() {
        this.isFinal = true;
        this.socket.close();
    }
}
