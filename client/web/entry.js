/* The reader's identity: a name and the token that proves it; joining by link, and
 * inviting. */

class Entry {
    /** @param {Page} page */
    constructor(page) {
        this.page = page;
        this.isVisit = page.isEmbedded; /* what the browser remembers stays as it is */
        this.name = this.isVisit ? "" : recall("name", "");
        this.token = this.isVisit ? "" : recall("token", "");
    }

    /* The name under which tabs share their connection; "": this one has its own. */
    sharedName() {
        return this.isVisit || this.token === "" ? "" : this.name;
    }

    /* Logs in with the name that was used here before, or as a guest. Inside the page of
     * somebody else, always as a guest: that page could trick the reader into clicking. A name
     * that is only not admitted now is still the reader's, so the name that the server gives to
     * a guest is for this visit. */
    /** @param {Line} line */
    async login(line) {
        /** @type {string | undefined} */
        let refusal;
        if (this.name !== "" && this.token !== "") {
            const answer = await line.ask(`login ${this.name} token=${this.token}`),
                why = answer?.words[0];
            if (!answer || !["proof", "entry", "name", "no-such"].includes(why ?? ""))
                return this.take(answer);
            if (why === "entry") ((this.isVisit = true), (refusal = answer.human));
        }
        this.hasName = false;
        const answer = await line.ask("login");
        this.refusal = refusal;
        if (refusal !== undefined && answer?.ok === false) answer.human = refusal;
        return this.take(answer);
    }

    /* Finds out whether a browser may play here: a server that lets browsers only watch
     * refuses every name for that reason, also an invalid one. */
    /** @param {Line} line */
    async mayPlay(line) {
        const answer = await line.ask("login -");
        return answer?.words[0] !== "entry";
    }

    /* With a name, or with the line that proves one: "login hong token=..." or "... code=...". */
    /** @param {Line} line @param {string} words @param {string} [invite] */
    async loginAs(line, words, invite) {
        const [, name, proof] = /^(?:login\s+)?(\S+)\s+((?:token|code)=\S+)$/.exec(words) ?? [
            null,
            words,
            "",
        ];
        const answer = await line.ask(
            `login ${name}${proof ? " " + proof : invite ? " invite=" + invite : ""}`,
        );
        if (answer?.ok && proof.startsWith("token="))
            answer.items.token ??= proof.slice("token=".length);
        if (answer?.ok) this.isVisit = this.page.isEmbedded;
        return this.take(answer);
    }

    /* The token is kept before it is used: it is the only way back to the name. */
    /** @param {Answer | null} answer */
    take(answer) {
        if (!answer?.ok) return answer;
        this.hasName = answer.items.proof === "token";
        if (answer.items.token === undefined) return answer;
        this.name = answer.items.name;
        this.token = answer.items.token;
        this.isKept =
            this.isVisit || (remember("name", this.name) && remember("token", this.token));
        this.isLater = this.isVisit;
        return answer;
    }

    /* Proves the name in another browser or at a terminal. */
    line() {
        return `login ${this.name} token=${this.token}`;
    }

    /* Reminds of that line, without showing it, until it was copied; null: there is nothing to
     * save. "Later" is good for this visit. */
    reminder() {
        if (!this.hasName || this.isLater || recall("saved", "") === this.name) return null;
        const isKept = this.isKept !== false;
        const words = isKept
            ? _(
                  "This browser remembers you as {name}, but it may forget you: save the secret line that proves your name.",
              )
            : _(
                  "This browser does not remember you, {name}: save the secret line that proves your name.",
              );
        const said = el("span", fill(words, { name: this.name }) + " ");
        const copy = actionButton(
            _("Copy the secret line"),
            async () => {
                const isCopied = await navigator.clipboard.writeText(this.line()).then(
                    () => true,
                    () => false,
                );
                if (!isCopied) return this.showLine();
                remember("saved", this.name);
                this.isLater = true;
                note.replaceChildren(el("span", _("Copied. Keep it like a password.")));
            },
            true,
        );
        const later = actionButton(_("Later"), () => {
            this.isLater = true;
            note.remove();
        });
        const note = el("p.offer.keep", { role: "status" }, said, copy, later);
        return note;
    }

    /* Opens the sheet under the name, with the line selected. */
    showLine() {
        document.querySelector("details.identity")?.setAttribute("open", "");
        /** @type {HTMLElement | null} */ (document.querySelector(".identity input"))?.focus();
    }

    /* The name, and on demand its line. */
    badge() {
        /** @type {HTMLInputElement} */
        const line = el("input", {
            type: "text",
            readonly: true,
            "aria-label": _("The secret line that proves your name"),
            value: this.line(),
            onfocus: () => line.select(),
        });
        const code = el("p");
        return el(
            "details.identity",
            el("summary", this.name),
            el(
                "div.sheet",
                el("p", _("Save this line: it is a secret, and the only way back to your name.")),
                line,
                actionButton(_("A code for another device"), () => this.showCode(code)),
                code,
            ),
        );
    }

    /** @param {HTMLElement} out */
    async showCode(out) {
        const answer = await this.page.line.ask("device");
        if (answer === null) return;
        out.textContent = answer.ok
            ? fill(
                  _(
                      "On the other device, type: login {name} code={code} (valid for {minutes} minutes)",
                  ),
                  { name: this.name, code: answer.items.code, minutes: answer.items.minutes },
              )
            : answer.human;
    }
}

/* Asks for a name, then does what needs one. */
class NameForm {
    /**
     * @param {Page} page @param {string} words @param {string | undefined} invite
     * @param {() => unknown} onNamed
     */
    constructor(page, words, invite, onNamed) {
        const said = el("p.refusal", { role: "status", text: page.entry.refusal ?? "" });
        const name = el("input", {
            type: "text",
            required: true,
            maxlength: 100,
            autocomplete: "nickname",
            "aria-label": _("Your name"),
        });
        /** @param {Event} event */
        const send = async (event) => {
            event.preventDefault();
            await page.line.wake();
            const answer = await page.entry.loginAs(page.line, name.value.trim(), invite);
            if (answer === null) return;
            if (!answer.ok) said.textContent = answer.human;
            else (page.named(), onNamed());
        };
        this.element = el(
            "main.front.sheet-page",
            el("h1", words),
            el(
                "p.faint",
                _(
                    "Choose a name: 2 to 16 letters, digits, _ or -, or 2 to 8 Hangul syllables. If you have a name here already, paste the secret line that proves it instead.",
                ),
            ),
            el(
                "form.typing",
                { onsubmit: send },
                name,
                el("button.main.tool", { type: "submit", text: _("Play") }),
            ),
            said,
            preview(""),
        );
        setTimeout(() => name.focus(), 0);
    }

    close() {}
}

/* A text in the middle of the page, perhaps with a link to send, and with something to look at
 * for one who waits. */
class Notice {
    /** @param {string} title @param {string} words @param {string} [link]  */
    constructor(title, words, link, isWait = link !== undefined) {
        /** @type {HTMLInputElement | null} */
        const field =
            link === undefined
                ? null
                : el("input", {
                      type: "text",
                      readonly: true,
                      value: link,
                      "aria-label": _("The link"),
                      onfocus: () => field?.select(),
                  });
        const copy =
            link === undefined
                ? null
                : actionButton(
                      _("Copy"),
                      async () => {
                          await navigator.clipboard.writeText(link).catch(() => field?.select());
                      },
                      true,
                  );
        this.element = el(
            "main.front.sheet-page",
            el("h1", title),
            el("p", words),
            link === undefined ? null : el("div.typing", field, copy),
            isWait ? preview("") : null,
        );
    }

    close() {}
}
