/* The connection that carries the lines of PROTOCOL.md. */

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

/* Connects, and connects again when the connection is lost. Calls onOpen after a
 * greeting, which may be that of a new connection (tabs.js), onNews for each "!" line, words for those of a
 * refusal or a notice in the reader's language, onState when the connection comes and goes. */
class Line {
    /** @param {LineCalls} calls */
    constructor(calls) {
        this.calls = calls;
        /** @type {Socket | null} */
        this.socket = null;
        /** @type {Asked[]} */
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
        const socket = (this.socket = this.calls.open());
        socket.onmessage = ({ data }) => this.take(data);
        socket.onclose = () => this.lose();
        socket.ondoubt = () => this.hurry();
        this.expect(CONNECT_MS);
    }

    /* Drops the connection if nothing comes for so long. */
    /** @param {number} ms */
    expect(ms) {
        clearTimeout(this.watchdog);
        this.watchdog = setTimeout(() => this.drop(), ms);
    }

    /** @param {string} line */
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
        const isSlow = this.isStuck && this.waiting.some(({ command }) => command !== "ping");
        if (this.waiting.length > 0) return this.expect(isSlow ? STUCK_MS : ANSWER_MS);
        clearTimeout(this.watchdog);
        this.watchdog = setTimeout(() => this.ask("ping"), this.isBrisk ? BRISK_MS : QUIET_MS);
    }

    /** @param {Parsed} news */
    hear(news) {
        if (["notice", "bye", "rating"].includes(news.words[0]))
            news.human = this.calls.words(news);
        const why = news.words[0] === "notice" ? (news.items.why ?? "") : "";
        if (why.startsWith("storage-")) this.isStuck = why !== "storage-back";
        this.calls.onNews(news);
    }

    /** @param {Parsed} greeting */
    greet(greeting) {
        for (const asked of this.waiting.splice(0)) asked.done(null);
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
        await new Promise((/** @type {(nothing?: void) => void} */ done) => (this.onWoken = done));
    }

    /** @param {Parsed} answer */
    answer(answer) {
        const asked = this.waiting.shift();
        if (answer.mark === "ERR") answer.human = this.calls.words(answer);
        asked?.done({ ...answer, ok: answer.mark === "OK", block: asked.block });
    }

    /* Sends a command. Resolves to its answer, or to null if the connection was lost before. */
    /** @param {string} command @returns {Promise<Answer | null>} */
    ask(command) {
        return new Promise((done) => {
            if (!this.isOpen) return done(null);
            this.waiting.push({ command, done, block: [], at: performance.now() });
            this.socket?.send(command);
            if (this.waiting.length === 1) this.watch();
        });
    }

    /* The lines of a list that begin with that word; none without an answer. */
    /** @param {string} command @param {string} mark */
    async rows(command, mark) {
        const answer = await this.ask(command);
        return answer?.ok ? answer.block.map(parseLine).filter((row) => row.mark === mark) : [];
    }

    /* Gives the connection up. The browser would call onclose only after the server's answer,
     * or a minute. */
    drop() {
        const { socket } = this;
        if (socket !== null) socket.onmessage = socket.onclose = null;
        socket?.close();
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

    /* Connects at once, or finds out whether the connection works, because the network or the reader
     * is back, or another tab gets no answers. Timers of a tab that sleeps are late. */
    hurry() {
        const [asked] = this.waiting;
        if (this.timer !== 0 && !this.isFinal && !this.isOpen) this.connect();
        else if (asked === undefined) this.ask("ping");
        else if (!this.isStuck && performance.now() - asked.at > ANSWER_MS) this.drop();
    }

    stop() {
        this.isFinal = true;
        this.drop();
    }
}
