/* The page: connects, finds out what the address asks for, and shows it. */

const NOTICE_MS = 30000,
    AWAY_MS = 20000,
    LIST_MS = 10000,
    WATCHERS_MS = 5000;

class Page {
    /** @param {string} files */
    static async open(files) {
        const isOther = /^\?(learn|evening=.*)$/.test(location.search);
        /* Early; list() asks again and says what fails. */
        if (location.pathname === "/" && !isOther) loadPart(files, "list").catch(() => {});
        const [core] = await Promise.all([Core.load(files), loadWords(files)]);
        await new Page(files, core).start();
    }

    /** @param {string} files @param {Core} core */
    constructor(files, core) {
        this.files = files;
        this.core = core;
        /** @type {TabSocket | null} */
        this.socket = null;
        /** @type {Line} */
        this.line = new Line({
            open: () => (this.socket = new TabSocket(this.entry.sharedName())),
            onOpen: (greeting) => this.enter(greeting),
            onNews: (news) => this.hear(news),
            words: (line) => core.message(line, untilWords(line.items.until_s)),
            onState: () => (this.tell(""), this.table?.render()),
        });
        /** @type {View | null} */
        this.view = null;
        /** @type {Table | null} */
        this.table = null;
        /** @type {[game: string, code: string, path?: string] | null} */
        this.wanted = null;
        /* What is visible beside the view, which has a state of its own. */
        this.state = {
            name: "",
            serverName: "",
            /** @type {string[]} */
            rulesets: [],
            notice: "",
            /** @type {(string | Node)[] | undefined} */
            lastWords: undefined /* of the connection */,
            isOver: false /* the connection, for good */,
            /** @type {Map<string, Items>} */
            challenges: new Map(),
            /** @type {string | null} */
            seeking: null /* the command of our seek, which ends with each connection */,
        };
        this.lost = el("p", { role: "alert" });
        this.told = el("p", { role: "status" });
        this.banner = el("div.banner", { hidden: true }, this.lost, this.told);
        this.asking = el("div.asking", { "aria-live": "polite" });
        this.news = el("div.news", paints(), this.banner, this.asking);
        this.keeping = el("div.keeping"); /* the reminder to save the name's line */
        this.standing = new Standing(); /* also of a game that is not shown yet */
        this.alerts = new Alerts();
        this.sound = new Sound();
        this.isEmbedded = location.search === "?embed";
        this.entry = new Entry(this);
        document.body.classList.toggle("embed", this.isEmbedded);
    }

    async start() {
        document.body.prepend(this.news);
        addEventListener("hashchange", () => location.reload());
        addEventListener("popstate", () => this.line.isOpen && this.open());
        if (location.search === "?computer") await this.playComputer();
        this.line.connect();
    }

    /* --- The frame round everything --- */

    /** @param {View} view */
    show(view) {
        const isFirst = this.view === null;
        this.view?.close();
        this.view = view;
        view.element.tabIndex = -1;
        this.remind(view.isFront);
        const around = [this.header(), this.news, this.keeping];
        document.body.replaceChildren(...around, view.element, this.footer());
        if (!isFirst && !view.element.contains(document.activeElement))
            view.element.focus({ preventScroll: true });
    }

    header() {
        const name = el("span", this.state.serverName || _("Janggi")),
            home = el("a.home", { href: "/?games" }, pieceIcon("K", "hanja"), name),
            guest = el("span.identity.faint", this.state.name);
        return el("header", home, this.entry.hasName ? this.entry.badge() : guest);
    }

    /* Shows the reminder on the front page. Elsewhere only if the name would be lost with the
     * page: beside a link to copy for a friend, there must be no secret to copy. */
    /** @param {boolean} [isCalm] */
    remind(isCalm) {
        const note = isCalm || this.entry.isKept === false ? this.entry.reminder() : null;
        this.keeping.replaceChildren(...(note === null ? [] : [note]));
    }

    footer() {
        const take = (/** @type {string} */ name) => {
            remember("language", name);
            location.reload();
        };
        const names = { en: "English", ko: "한국어" };
        const language = picker(names, chosenLanguage(), take, "Language / 언어");
        return el("footer.faint", language, learnLink());
    }

    /* A challenge. */
    /** @param {[id: string, items: Items]} what */
    challenge([id, items]) {
        const facts = [ratingWords(items), termsWords(this.core, items)].filter(Boolean);
        return el(
            "p.offer",
            { "data-id": id },
            el("span", fill(_("{name} wants to play you:"), { name: items.by }) + " "),
            el("span.faint", facts.join(" · ") + " "),
            actionButton(_("Accept"), () => this.accept(id), true),
            actionButton(_("Decline"), () => this.line.ask("decline " + id)),
        );
    }

    /* The banner and the challenges; and after the end of the connection for good, nothing
     * answers. */
    render() {
        refill(this.asking, [...this.state.challenges].map(this.challenge, this));
        const { isOpen } = this.line,
            isHome = this.view?.isHome === true; /* then only an end for good is worth a word */
        const trying = isHome ? [] : [_("Connection lost. Trying again …")];
        const lost = isOpen || this.state.notice !== "" ? [] : (this.state.lastWords ?? trying);
        this.banner.hidden = lost.length === 0 && this.state.notice === "";
        this.told.textContent = this.state.notice;
        this.lost.replaceChildren(...lost);
        const element = this.view?.element,
            isOff = !isOpen && this.state.isOver && !isHome; /* the title stays readable */
        element?.classList.toggle("off", isOff);
        for (const part of element?.children ?? [])
            part.toggleAttribute("inert", isOff && part.tagName !== "H1");
    }

    /* Only a lost connection interrupts a screen reader. */
    /** @param {string} words */
    tell(words) {
        this.state.notice = words;
        this.render();
    }

    /* Before the first view there is nothing above which the words could appear. */
    /** @param {string} words */
    complain(words) {
        if (this.view === null) this.show(noticeView(_("Janggi"), words));
        else this.tell(words);
    }

    /* --- Entering --- */

    /** @param {Parsed} greeting @returns {Promise<unknown>} */
    async enter(greeting) {
        this.state.serverName = greeting.items.server;
        this.state.rulesets = (greeting.items.rules ?? "").split(",");
        if (location.search === "?learn") return this.learn();
        this.table?.game.offers.clear(); /* the server sends the open offers again */
        this.table?.render();
        this.state.challenges.clear();
        this.standing.all.clear();
        this.render();
        const login = await this.entry.login(this.line);
        if (login === null || (!login.ok && this.view?.isHome)) return;
        if (login.items.why === "guests" && !this.isEmbedded)
            return this.view instanceof NameForm || this.askName(() => this.open());
        if (!login.ok) return this.refuse(login);
        this.state.name = login.items.name;
        if (this.state.seeking !== null) await this.line.ask(this.state.seeking);
        this.state.lastWords = undefined;
        if (this.wanted) await this.watch(...this.wanted);
        else if (this.view?.isHome) document.querySelector("header")?.replaceWith(this.header());
        else if (this.view instanceof Table) await this.resume();
        else if (this.entry.hasName || !(this.view instanceof NameForm)) await this.open();
    }

    /* The rules are for everybody, without a login: the greeting has named the rulesets. */
    async learn() {
        this.state.lastWords = [];
        this.line.stop();
        const view = await this.part("learn", (part) => part.Learn.load(this));
        if (view !== null) this.show(view);
    }

    /* What the part with that name gives. null, after telling the reader, if it cannot be
     * fetched, as after an update of the server. */
    /**
     * @template {keyof Parts} K @template V @param {K} name
     * @param {(part: Parts[K]) => V | Promise<V>} give
     */
    async part(name, give) {
        try {
            return await give(await loadPart(this.files, name));
        } catch (error) {
            console.error(error);
            this.show(noticeView(_("Janggi"), _(PART_LOST)));
            return null;
        }
    }

    /* After a refusal for good, the words remain when the connection ends. */
    /** @param {Parsed} what */
    refuse({ words, human }) {
        if (words[0] === "entry") {
            this.state.lastWords = this.view === null ? [] : [human];
            this.line.stop();
        }
        this.complain(human);
    }

    /* A guest has become a player. */
    named() {
        this.state.name = this.entry.name;
        if (this.entry.sharedName() !== "") this.socket?.share(this.state.name);
        document.querySelector("header")?.replaceWith(this.header());
    }

    /* Runs an action that only a player may do, after asking for a name if there is
     * none yet. */
    /** @param {string} words @param {() => unknown} what @param {string} [invite] */
    async needName(words, what, invite) {
        if (this.entry.hasName) return what();
        this.show(new NameForm(this, words, invite, what));
    }

    /* An invitation in the address: to join a game, or to enter the server. */
    invitation() {
        const [, kind, code] =
            /^\/(join|enter)#([\w-]+)$/.exec(location.pathname + location.hash) ?? [];
        return { kind, code };
    }

    /* The code of an invitation also admits a new name, where the server asks for one. */
    /** @param {() => unknown} what */
    askName(what) {
        const { kind, code } = this.invitation();
        const words = kind === "join" ? _("You are invited to a game of Janggi") : _("Welcome");
        return this.needName(words, what, code);
    }

    /** @returns {Promise<unknown>} */
    async open() {
        const game = /^\/game\/([1-9]\d*)$/.exec(location.pathname)?.[1];
        const code = location.hash.slice(1),
            { kind } = this.invitation();
        if (location.search === "?computer") return this.view?.isHome || this.playComputer();
        if (game !== undefined) return this.watch(game, "");
        if (kind === "join") return this.join(code);
        if (kind === "enter") return this.askName(() => this.list());
        const link = location.pathname === "/watch" ? /^(\d+)-[0-9A-Z]+$/i.exec(code) : null;
        if (link !== null) return this.watch(link[1], " code=" + code);
        const evening = /^\?evening=([1-9]\d*)$/.exec(location.search)?.[1];
        if (evening !== undefined && (await this.showEvening(evening))) return;
        await this.list();
    }

    /* A guest is asked for a name if the code is good for a seat. */
    /** @param {string} code @returns {Promise<unknown>} */
    async join(code) {
        const answer = await this.line.ask("join " + code);
        if (answer === null) return;
        const { ok } = answer,
            { game, why } = answer.items;
        if (ok && game !== undefined) return this.goTo(game);
        if (why === "login") return this.askName(() => this.join(code));
        const words = ok ? _("The game begins here when your opponent comes.") : answer.human,
            notice = noticeView(_("Janggi"), words, undefined, ok),
            watch = game && linkButton(_("Watch the game"), "/game/" + game),
            list = linkButton(_("Games and players"), "/?games");
        if (!ok) notice.element.append(el("p.actions", watch, list));
        this.show(notice);
    }

    /** @returns {Promise<unknown>} */
    async list() {
        const mayPlay = this.entry.hasName || (await this.entry.mayPlay(this.line));
        const front = await this.part("list", ({ Front }) => new Front(this, mayPlay));
        if (front === null) return;
        const games = await front.refresh();
        const isAnybody = location.pathname === "/" && location.search !== "?games";
        if (games.length === 1 && isAnybody && !this.entry.hasName) {
            front.close();
            return this.watch(games[0], "");
        }
        document.title = this.state.serverName;
        this.show(front);
    }

    /* False: there is no such evening. */
    /** @param {string} id */
    async showEvening(id) {
        const evening = await this.part("evening", ({ Evening }) => new Evening(this, id));
        if (evening === null) return true;
        if (await evening.refresh()) return (this.show(evening), true);
        evening.close();
        return false;
    }

    /* --- New games --- */

    /* A game without the server: a new one, or without settings the one that this browser has
     * kept. A game of ours at the server that begins meanwhile is shown. */
    /** @param {Settings} [settings] */
    async playComputer(settings) {
        const view = await this.part("computer", (part) => part.begin(this, settings));
        if (view === null) return;
        this.table?.close();
        this.table = null;
        if (location.search !== "?computer") history.pushState(null, "", "/?computer");
        this.show(view);
    }

    /** @param {string} terms */
    async invite(terms) {
        const answer = await this.line.ask("invite " + terms);
        if (answer === null) return;
        if (!answer.ok) return this.tell(answer.human);
        const joined = await this.line.ask("join " + answer.items.code);
        if (!joined?.ok) return;
        /* Loaded again, the page waits again. */
        history.pushState(null, "", "/join#" + answer.items.code);
        const words = _("The game begins here when your friend opens the link.");
        this.show(noticeView(_("Send this link to your friend"), words, location.href));
    }

    /* With "seek" or "play". Accepts at once a seek of somebody else with the same terms. */
    /** @param {string} command */
    async find(command) {
        const answer = await this.line.ask(command);
        if (answer === null) return;
        if (!answer.ok) return this.tell(answer.human);
        if (answer.items.game !== undefined) return this.goTo(answer.items.game);
        this.state.seeking = command;
        if (answer.items.fits !== undefined) await this.accept(answer.items.fits);
        else if (!this.view?.isFront) await this.list();
    }

    /** @param {string} id */
    async accept(id) {
        const answer = await this.line.ask("accept " + id);
        if (answer?.ok) await this.goTo(answer.items.game);
        else if (answer) this.tell(answer.human);
    }

    /** @param {string} id @param {Items | null} items */
    hearChallenge(id, items) {
        if (items === null && !this.state.challenges.has(id)) return;
        if (items === null) this.state.challenges.delete(id);
        else if (items.by !== this.state.name) this.state.challenges.set(id, items);
        this.render();
        const words = fill(_("{name} wants to play you:"), { name: items?.by ?? "" });
        if (items !== null) this.alerts.tell(this.state.serverName, words);
    }

    /* Shows another game in the same page. */
    /** @param {string} game */
    async goTo(game) {
        if (this.table?.game.id === game && this.view === this.table) return;
        this.state.seeking = null;
        await this.watch(game, "", "/game/" + game + (this.isEmbedded ? "?embed" : ""));
    }

    /* Keeps what is shown until the server has said that we may see that game: there is one
     * core. path: the address of the page from then on. Asks again after a lost connection. */
    /**
     * @param {string} game @param {string} code @param {string} [path] @returns {Promise<unknown>}
     */
    async watch(game, code, path) {
        const wanted = (this.wanted = [game, code, path]);
        const answer = await this.line.ask(
            this.entry.hasName ? `resume ${game} 0${code}` : `watch ${game}${code}`,
        );
        if (answer === null || this.wanted !== wanted) return;
        this.wanted = null;
        if (!answer.ok) return this.complain(answer.human);
        if (path) history.pushState(null, "", path);
        this.table?.close();
        const table = (this.table = new Table(this, this.line, game, this.state.name));
        table.game.code = code;
        for (const { news, at } of this.standing.all.values())
            if (news.items.game === game) table.game.takeNews(news, at);
        table.takeAnswer(answer);
        this.show(table);
        table.countWatchers();
        let turn = 0; /* a thousand watchers must not ask as often as the players */
        const count = () => {
            const isLater = table.game.side === null && ++turn % 6 > 0;
            if (!document.hidden && !isLater) table.countWatchers();
        };
        table.watcherTimer = setInterval(count, WATCHERS_MS);
    }

    async resume() {
        const { table } = this;
        if (table === null) return;
        const { id, next, code } = table.game,
            answer = await this.line.ask(`resume ${id} ${next}${code}`);
        if (answer?.ok) table.takeAnswer(answer);
        else if (answer) this.tell(answer.human);
    }

    /* --- News --- */

    /** @param {Parsed} news */
    hear(news) {
        const [kind, game, number] = news.words;
        this.standing.note(news);
        if (kind === "game") this.hearEvent(game, Number(number), news.line);
        else if (kind === "bye") this.hearBye(news);
        else if (kind === "challenge") this.hearChallenge(game, news.items);
        else if (kind === "notice") this.hearNotice(news.human);
        else if (kind === "evening") this.hearEvening(news);
        else if (news.items.game === this.table?.game.id || kind === "gone")
            this.table?.takeNews(news);
        if (kind === "gone") this.hearChallenge(game, null);
        const { by, why } = news.items,
            isOver = kind === "gone" && /^(expired|withdrawn)$/.test(why);
        if (isOver && news.items.kind === "seek" && by === this.state.name)
            this.state.seeking = null;
    }

    /** @param {string} game @param {number} number @param {string} line */
    hearEvent(game, number, line) {
        const event = line.slice(`! game ${game} ${number} `.length);
        if (game === this.wanted?.[0]) return; /* the answer is followed by all of them */
        if (game !== this.table?.game.id)
            return this.hearStart(game, number, parseLine("event " + event));
        if (!this.table.takeEvent(number, event)) this.resume();
    }

    /* A game of ours begins while we look at something else that is not a running game. */
    /** @param {string} game @param {number} number @param {Parsed} event */
    hearStart(game, number, event) {
        const { red, blue } = event.items,
            shown = this.view instanceof Table && !this.view.isHome ? this.view.game : null;
        if (number !== 0 || !this.entry.hasName || ![red, blue].includes(this.state.name)) return;
        if (shown === null || shown.side === null || shown.state.phase === "over") this.goTo(game);
    }

    /** @param {string} words */
    hearNotice(words) {
        this.tell(words);
        clearTimeout(this.noticeTimer);
        this.noticeTimer = setTimeout(() => this.tell(""), NOTICE_MS);
    }

    /* Without the words of the page, in those of the server. */
    /** @param {Parsed} what */
    async hearEvening({ items, human }) {
        const part = await loadPart(this.files, "evening").catch(() => null);
        this.hearNotice(part?.eveningNews(items) ?? human);
    }

    /** @param {Parsed} news */
    hearBye(news) {
        const { why, at } = news.items;
        this.line.isFinal = !/^(elsewhere|restart|full|shutdown|idle|room)$/.test(why);
        /* For a name, and connects again then. */
        const waits = why === "login" && this.view instanceof NameForm;
        this.state.isOver = this.line.isFinal && !waits;
        const comeBack = () => {
            this.state.lastWords = undefined;
            this.state.isOver = false;
            this.line.wake();
        };
        this.state.lastWords = waits ? [] : [news.human];
        if (this.state.isOver)
            this.state.lastWords.push(" ", actionButton(_("Use this tab"), comeBack, true));
        if (why === "elsewhere") this.hearElsewhere(at ?? "");
    }

    /* Another machine of the server has the games. A guest is sent there, but not twice in a
     * short time, because two machines could send the reader back and forth. A player gets a
     * link instead: this browser stores their name for this address only. Meanwhile the page
     * tries again here. */
    /** @param {string} at */
    hearElsewhere(at) {
        const isAddress = /^([\w.-]+|\[[\da-f:.]+\]):\d{1,5}$/i.test(at);
        if (!isAddress || at === location.host) return;
        const way = `https://${at}${location.pathname}${location.search}${location.hash}`;
        if ((this.entry.token !== "" && !this.isEmbedded) || !this.mayGo()) {
            const words = _("The games are on another machine:") + " ";
            this.state.lastWords = [words, el("a", { href: way, text: at })];
            return;
        }
        this.line.isFinal = true;
        location.replace(way);
    }

    /* True if this tab was not sent away from here just now. */
    mayGo() {
        try {
            const last = Number(sessionStorage.getItem("janggi.away"));
            sessionStorage.setItem("janggi.away", String(Date.now()));
            return Date.now() - last > AWAY_MS;
        } catch {
            return false;
        }
    }
}

Page.open(/** @type {HTMLScriptElement} */ (document.currentScript).src);
