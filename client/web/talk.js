/* The chat of the players and the whispers of the watchers of a game. */

const ROWS_MAX = 200;

class Talk {
    /** @param {Table} table */
    constructor(table) {
        this.table = table;
        this.verb = "whisper";
        const traits = { role: "log", tabindex: 0, hidden: true, "aria-label": _("Chat") };
        this.rows = el("div.said", traits);
        this.input = field({ maxlength: 300, enterkeyhint: "send" });
        this.form = form("form.words", () => this.send(), this.input, submitter(_("Send")));
        this.unread = actionButton("", () => this.element.scrollIntoView());
        this.unread.classList.add("unread");
        this.unread.hidden = true;
        /** @type {HTMLElement} */
        this.element = el("div.talk", this.rows, this.form, this.unread);
        this.isSeen = true;
        this.count = 0; /* of lines that were not seen */
        const see = new IntersectionObserver(([{ isIntersecting }]) => this.see(isIntersecting));
        see.observe(this.form);
        this.as("whisper");
    }

    /* "say" for a player, "whisper" for a watcher. */
    /** @param {string} verb */
    as(verb) {
        this.verb = verb;
        const words =
            verb === "say" ? _("Say something to your opponent") : _("Whisper to other watchers");
        this.input.placeholder = words;
        this.input.setAttribute("aria-label", words);
    }

    /* On a phone the chat is below the screen: a mark leads to what was said there. */
    /** @param {boolean} isSeen */
    see(isSeen) {
        this.isSeen = isSeen;
        if (isSeen) this.count = 0;
        this.unread.hidden = isSeen || this.count === 0;
    }

    async send() {
        const text = this.input.value.trim();
        if (text === "") return;
        const answer = await this.table.line.ask(`${this.verb} game=${this.table.game.id} ${text}`);
        if (answer?.ok) this.input.value = "";
        else this.note(answer ? answer.human : _("No connection."));
    }

    /** @param {HTMLElement} row */
    add(row) {
        this.rows.hidden = false;
        const isRead = this.rows.contains(document.activeElement); /* then nothing moves */
        this.rows.append(row);
        while (this.rows.children.length > ROWS_MAX) this.rows.children[isRead ? 1 : 0].remove();
        if (!isRead) this.rows.scrollTop = this.rows.scrollHeight;
    }

    /** @param {Parsed} news */
    take(news) {
        const isWhisper = news.words[0] === "whisper";
        const side = SIDES.find((each) => this.table.game.start[each] === news.items.by) ?? "";
        const name = this.name(news.items.by, side);
        this.add(el(isWhisper ? "p.whisper" : "p.say", name, " ", el("span", news.human)));
        if (this.isSeen || news.items.by === this.table.page.state.name) return;
        this.count++;
        this.unread.textContent = fill(_("New in the chat: {count}"), { count: this.count });
        this.unread.hidden = false;
    }

    /* A reader with a name may do something about others. Only the newest line of each speaker
     * is a stop of the Tab key. */
    /** @param {string} text @param {string} side */
    name(text, side) {
        if (text === this.table.page.state.name || !this.table.page.entry.hasName)
            return el("b", { class: side, text });
        for (const older of this.rows.querySelectorAll("button"))
            if (older.textContent === text) older.tabIndex = -1;
        /** @type {HTMLElement} */
        const button = actionButton(text, () => this.showPerson(text, button));
        button.className = "by " + side;
        return button;
    }

    /** @param {string} name @param {HTMLElement} from */
    async showPerson(name, from) {
        const part = await loadPart(this.table.page.files, "people").catch(() => null);
        if (part === null) return this.note(_(PART_LOST));
        this.element.querySelector(".person")?.remove();
        const person = new part.Person(this, name, from);
        this.form.before(person.element);
        if (document.activeElement === from || document.activeElement === document.body)
            person.element.focus();
        await person.offer();
    }

    /** @param {string} words */
    note(words) {
        this.add(el("p.note", words));
    }
}
