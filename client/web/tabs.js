/* One connection for all tabs in which a reader plays under one name, because the server lets a
 * name have one. The tab that holds a lock has the WebSocket. The others speak through it, over a
 * channel; when it closes, one of them takes over. To a Line this is a WebSocket. */

const SIGN_OF_LIFE_MS = 3000;

/* What the server says once, after the login or later, until it says something newer. */
const STANDING = ["offer", "challenge", "setup", "presence", "claim"];

class Standing {
    constructor() {
        /** @type {Map<string, { news: Parsed, at: number }>} */
        this.all = new Map();
    }

    /** @param {Parsed} news */
    note(news) {
        const [kind, id] = news.words;
        const key = id ?? `${kind} ${news.items.game} ${news.items.side}`;
        if (STANDING.includes(kind) || kind === "gone") this.all.delete(key);
        if (STANDING.includes(kind)) this.all.set(key, { news, at: performance.now() });
    }
}

class TabSocket {
    /* name: "" for a guest, who shares nothing. */
    /** @param {string} name */
    constructor(name) {
        this.id = Math.random().toString(36);
        /** @type {((message: { data: string }) => void) | null} */
        this.onmessage = null;
        /** @type {(() => void) | null} */
        this.onclose = null;
        /** @type {(() => void) | null} */
        this.ondoubt = null; /* another tab gets no answers */
        /** @type {WebSocket | null} */
        this.socket = null; /* if this tab has it */
        this.holder = ""; /* the tab that has it */
        /** @type {BroadcastChannel | null} */
        this.channel = null;
        /** @type {{ from: string, command: string }[]} */
        this.asked = []; /* commands that have no answer yet */
        this.greeting = "";
        this.login = ""; /* the answer to it */
        this.standing = new Standing();
        this.leave = () => {}; /* gives the lock back, or asks for it no more */
        if (name === "" || !("locks" in navigator)) this.hold();
        else this.share(name);
    }

    /* Also for a guest who has a name now. */
    /** @param {string} name */
    share(name) {
        const end = new AbortController();
        this.leave();
        this.channel = new BroadcastChannel("janggi." + name);
        this.channel.onmessage = ({ data }) => this.hear(data);
        /** @param {LockOptions} options */
        const wait = (options) =>
            navigator.locks
                .request("janggi." + name, options, () => {
                    if (end.signal.aborted) return;
                    this.hold();
                    return new Promise((done) => end.signal.addEventListener("abort", done));
                })
                .catch(() => end.signal.aborted || this.end());
        wait({ signal: end.signal });
        this.leave = () => {
            clearTimeout(this.timer);
            end.abort();
            this.channel?.close();
        };
        if (this.socket !== null) return;
        this.post({ from: this.id });
        this.timer = setTimeout(() => {
            this.holder = this.id;
            wait({ steal: true });
        }, SIGN_OF_LIFE_MS);
    }

    hold() {
        clearTimeout(this.timer);
        if (this.socket !== null) return;
        this.socket = new WebSocket(`wss://${location.host}/ws`, "janggi.1");
        this.socket.onmessage = ({ data }) => this.take(data);
        this.socket.onclose = () => this.end();
    }

    /** @param {Record<string, string>} message */
    post(message) {
        this.channel?.postMessage(message);
    }

    /* --- In the tab that has the connection --- */

    /* A line from the server. */
    /** @param {string} line */
    take(line) {
        const [asked] = this.asked,
            sign = line[0];
        if (sign === "*") this.greeting = line;
        if (sign === "!") this.standing.note(parseLine(line));
        if (sign === "*" || sign === "!") return this.give("", line);
        if (sign !== "|") this.asked.shift();
        if (asked?.command.startsWith("login") && line.startsWith("OK")) this.login = line;
        if (asked !== undefined) this.give(asked.from, line);
    }

    /* to: "" for all tabs. */
    /** @param {string} to @param {string} line */
    give(to, line) {
        if (to !== this.id) this.post({ holder: this.id, to, line });
        if (to === this.id || to === "") this.onmessage?.({ data: line });
    }

    /* A second login gets the answer of the first, and what the server said after it. */
    /** @param {string} from @param {string} command */
    ask(from, command) {
        const isLogin = /^login \S+ token=/.test(command);
        if (isLogin && command.startsWith(`login ${parseLine(this.login).items.name} `)) {
            this.give(from, this.login);
            for (const { news, at } of this.standing.all.values())
                this.give(from, later(news.line, at));
        } else if (isLogin && this.asked.some((each) => each.command.startsWith("login")))
            setTimeout(() => this.ask(from, command), 100);
        else if (this.socket?.readyState === WebSocket.OPEN) {
            this.asked.push({ from, command });
            this.socket.send(command);
        } else if (this.socket?.readyState !== WebSocket.CONNECTING) this.end();
    }

    /* --- In any tab --- */

    /** @param {string} command */
    send(command) {
        if (this.socket !== null) this.ask(this.id, command);
        else this.post({ from: this.id, command });
    }

    /**
     * @param {{ holder?: string, to?: string, line?: string, from?: string, command?: string,
     *     doubt?: string }} message
     */
    hear({ holder, to, line, from, command, doubt }) {
        if (this.socket !== null) {
            if (line?.startsWith("*")) this.end(); /* that tab has taken the lock */
            else if (from !== undefined && command !== undefined) this.ask(from, command);
            else if (doubt !== undefined) this.ondoubt?.();
            else if (from !== undefined) this.give(from, this.greeting);
            return;
        }
        if (holder === undefined || (to !== "" && to !== this.id)) return;
        clearTimeout(this.timer);
        if (line?.startsWith("*")) {
            if (this.holder === holder) return; /* to all, and to us who have asked */
            this.holder = holder;
        }
        if (this.holder !== "" && this.holder !== holder) return;
        if (line === undefined) this.end();
        else if (line !== "") this.onmessage?.({ data: line });
    }

    end() {
        const { onclose } = this;
        this.close();
        onclose?.();
    }

    close() {
        const { socket } = this;
        this.onclose = this.onmessage = null;
        if (socket !== null) {
            socket.onmessage = socket.onclose = null;
            socket.close();
            this.post({ holder: this.id, to: "" });
        } else this.post({ doubt: this.id });
        this.leave();
    }
}

/* A line that was said then, with what is left of its time now. */
/** @param {string} line @param {number} at */
function later(line, at) {
    return line.replace(
        /left_ms=(\d+)/,
        (_all, ms) => "left_ms=" + Math.max(0, Math.round(ms - (performance.now() - at))),
    );
}
