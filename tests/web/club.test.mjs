// What keeps people together, on the page: a game at once, ratings, manners, an evening, and the way after the games.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";
import { Player, Server, build, picture, press, refuse, staged, text, until, visit } from "./house.mjs";

const server = new Server(["--web", "play", "--name", "The club", "--rated-same-address", "on"]);
let browser;
staged(server, (opened) => { browser = opened; });

const ctl = (...words) => execFileSync(join(build, "janggid"), ["ctl", "--data", join(server.directory, "data"), ...words], { encoding: "utf8" });
const front = async (options) => {
    const page = await visit(browser, server.url + "/?games", options);
    await until(page, "the front page", () => document.querySelector("main.front .invite"));
    return page;
};
const giveName = async (page, name) => {
    await until(page, "the question for a name", () => document.querySelector("form.typing input"));
    await page.type("form.typing input", name);
    await page.keyboard.press("Enter");
};
const member = async (name) => {
    const player = await new Player(server).connect();
    player.token = (await player.ask("login " + name, /^OK login .* token=(\S+) proof/))[1];
    ctl("role", name, "member");
    return player;
};
const atGame = (page, game) => until(page, "game " + game, (wanted) => location.pathname === "/game/" + wanted && document.querySelector(".board"), game);

// A rated game of two moves, which begins; its number.
async function rated(one, other, terms = "") {
    const seek = (await one.ask("seek rated=yes setup=NBBN/NBBN " + terms, /^OK seek id=(\d+)/))[1];
    const game = (await other.ask("accept " + seek, /^OK accept game=(\d+)/))[1];
    const [, red] = await other.hear(new RegExp(`^! game ${game} 0 start red=(\\S+)`));
    const sides = one.name === red ? [one, other] : [other, one];
    for (const [player, move] of [[sides[0], "a3a4"], [sides[1], "a6a5"]]) await player.ask(`move game=${game} ${move}`, /^OK move/);
    return game;
}

test("the manners of a game, in words and in Korean", async () => {
    const one = await member("host-of-terms");
    await one.ask("seek time=none takebacks=no talk=no delay=6 watchers=members handicap=red:r setup=NBNB/NBBN rules=kja side=blue", /^OK seek/);
    const row = (page, words) => until(page, words, (wanted) => document.querySelector(".seeks .terms")?.textContent === wanted, words);
    const page = await front(), korean = await front({ language: "ko-KR", width: 390, height: 844 });
    await row(page, "no clock · kja · you play Red · no takebacks, no talk, only members may watch, watchers are 6 plies behind, " +
        "line-ups red NBNB, blue NBBN, red without rook (a lead of 13 points for blue)");
    await row(korean, "시간 제한 없음 · kja · 한으로 둡니다 · 무르기 없음, 대화 없음, 회원만 관전, 관전자는 6수 늦게 봄, " +
        "상차림 한 NBNB, 초 NBBN, 한에서 차 뗌 (13점 앞서는 쪽: 초)");
    await picture(korean, "manners-korean-390x844");
    await press(page, "Play");
    await giveName(page, "guest-of-terms");
    await until(page, "the terms at the board", () => /^no clock · kja · no takebacks, /.test(document.querySelector(".table .terms")?.textContent));
    await picture(page, "manners-1280x800");
    assert.deepEqual([...page.faults, ...korean.faults], []);
});

test("play now: the second one plays with the first", async () => {
    const one = await front(), other = await front();
    await press(one, "Play now");
    await giveName(one, "early");
    await until(one, "one's own wait", () => /early.*10m\+5s.*Withdraw/.test(document.querySelector(".seeks")?.textContent));
    await picture(one, "waiting-1280x800");
    await press(other, "Play now");
    await giveName(other, "late");
    for (const page of [one, other]) await until(page, "the game", () => /^\/game\/\d+$/.test(location.pathname) && document.querySelector(".lineups"));
    assert.deepEqual([...one.faults, ...other.faults], []);
});

test("a wait outlives a lost connection, and a new name is told why it cannot play rated", async () => {
    const page = await front();
    await page.click(".invite input[type=checkbox]");
    assert.equal(await page.$$eval(".invite label", (all) => all.find((label) => label.textContent.startsWith("Side")).querySelector("select").disabled), true);
    await press(page, "Play now");
    await giveName(page, "newcomer");
    await until(page, "the reason", () => /rated games are for members/.test(document.querySelector(".banner")?.textContent));
    await page.goto(server.url + "/?games");
    await until(page, "the front page", () => document.querySelector("main.front .invite"));
    const waits = () => until(page, "the wait", () => /newcomer.*Withdraw/.test(document.querySelector(".seeks")?.textContent));
    await press(page, "Play now");
    await waits();
    await server.kill();
    await server.start();
    await until(page, "the connection", () => document.querySelector(".banner").hidden);
    await waits();
    await until(page, "no wait", () => { // the row may still be that of the old connection
        const button = [...document.querySelectorAll(".seeks button")].find((each) => each.textContent === "Withdraw");
        button?.click();
        return button === undefined;
    });
});

test("ratings stand beside the names, change at the end, or do not count for a reason", async () => {
    const one = Object.assign(await member("hong"), { name: "hong" }), other = Object.assign(await member("kim"), { name: "kim" });
    const first = await rated(one, other);
    const page = await visit(browser, `${server.url}/game/${first}`);
    await until(page, "the terms", () => /rated/.test(document.querySelector(".table .terms")?.textContent));
    assert.equal(await text(page, ".player.red .rating"), "", "nobody has a rating yet");
    await one.ask(`resign game=${first}`, /^OK resign/);
    await until(page, "the change", () => /^ratings: \S+ \d+\? \([+−]\d+\), \S+ \d+\? \([+−]\d+\)$/.test(document.querySelector(".rated")?.textContent));
    const [, red] = /^ratings: \S+ (\d+\?)/.exec(await text(page, ".rated"));
    assert.equal(await text(page, ".player.red .rating"), red);
    await picture(page, "rated-end-1280x800");
    const second = await rated(one, other);
    const korean = await visit(browser, `${server.url}/game/${second}`, { language: "ko-KR", width: 390, height: 844 });
    await until(korean, "the ratings", () => [...document.querySelectorAll(".player .rating")].filter((each) => /^\d+\?$/.test(each.textContent)).length === 2);
    const offer = (await one.ask(`draw game=${second}`, /^OK draw game=\d+ offer=(\d+)/))[1];
    await other.ask("accept " + offer, /^OK accept/);
    await until(korean, "the reason", () => !document.querySelector(".rated").hidden);
    assert.match(await text(korean, ".rated"), /^레이팅: .*일찍/);
    await picture(korean, "rated-uncounted-korean-390x844");
    await one.ask("seek rated=yes range=200", /^OK seek/);
    const list = await front();
    await until(list, "rating and range in the list", () => /hong\d+\?.*rated.*opponent's rating ±200/.test(document.querySelector(".seeks")?.textContent));
    assert.deepEqual([...page.faults, ...korean.faults, ...list.faults], []);
});

test("the table of an evening", async () => {
    const names = ["ahn", "bae", "cha"], players = [];
    for (const name of names) players.push(await member(name));
    const id = /join (\d+)/.exec(ctl("evening", "new", "friday", "system=rr", "time=5m+3s", "rules=martin", "rated=yes"))[1];
    for (const player of players) await player.ask("evening join " + id, /^OK evening/);
    const page = await front();
    await until(page, "the evening in the list", () => /friday.*round robin · open · 3 players/.test(document.querySelector('a[href^="/?evening="]')?.textContent));
    await Promise.all([page.waitForNavigation(), page.click(`a[href="/?evening=${id}"]`)]);
    await until(page, "the table", () => document.querySelectorAll(".evening tbody tr").length === 3);
    assert.match(await text(page, ".evening .faint"), / · 5m\+3s · martin · rated$/);
    ctl("evening", "start", id);
    await page.reload();
    await until(page, "the boards", () => document.querySelectorAll(".evening .seeks li").length === 2);
    assert.match(await text(page, ".evening .seeks"), /has no opponent/);
    await picture(page, "evening-1280x800");
    const narrow = await visit(browser, `${server.url}/?evening=${id}`, { width: 320, height: 640, dark: true, language: "ko-KR" });
    await until(narrow, "the table", () => document.querySelectorAll(".evening tbody tr").length === 3);
    assert.ok(await narrow.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "no scrolling to the side");
    assert.match(await text(narrow, ".evening .faint"), /^풀리그 · 진행 중 · .* · 레이팅 대국$/);
    await picture(narrow, "evening-narrow-korean-320x640");
    const own = await visit(browser, server.url + "/?games", { early: ([name, token]) => {
        localStorage.setItem("janggi.name", name);
        localStorage.setItem("janggi.token", token);
    }, earlyWith: ["cha", players[2].token] });
    await own.goto(`${server.url}/?evening=${id}`);
    await until(own, "the way out", () => document.querySelector(".evening .actions button")?.textContent === "Leave the evening");
    await press(own, "Leave the evening");
    await until(own, "the way in", () => document.querySelector(".evening .actions button")?.textContent === "Take part");
    await own.goto(`${server.url}/?evening=999`);
    await until(own, "the front page in its place", () => document.querySelector(".invite"));
    ctl("evening", "end", id);
    await until(own, "the news of its end", () => document.querySelector(".banner [role=status]")?.textContent === "The evening friday is over.");
    assert.deepEqual([...page.faults, ...narrow.faults, ...own.faults], []);
});

test("without the words for evenings the front page has their names, and the news are told as the server tells them", async () => {
    const players = [await member("mun"), await member("noh")];
    const id = /join (\d+)/.exec(ctl("evening", "new", "saturday", "system=rr", "time=5m+3s", "rules=martin"))[1];
    for (const player of players) await player.ask("evening join " + id, /^OK evening/);
    players[0].close();
    const page = await visit(browser, "about:blank", { early: ([name, token]) => {
        if (location.protocol !== "https:") return;
        localStorage.setItem("janggi.name", name);
        localStorage.setItem("janggi.token", token);
    }, earlyWith: ["mun", players[0].token] });
    await refuse(page, /\/evening\.js$/);
    await page.goto(server.url + "/?games");
    await until(page, "the name of the evening", (way) => document.querySelector(`a[href="${way}"]`)?.textContent === "saturday", "/?evening=" + id);
    ctl("evening", "start", id);
    await until(page, "the news", () => /^(mun \(red\) and noh|noh \(red\) and mun) \(blue\) play in round 1$/.test(document.querySelector(".banner [role=status]")?.textContent));
    assert.deepEqual(page.faults.filter((fault) => !/Failed to load/.test(fault)), []);
});

// Says what a machine says that has not the games.
const hear = (page, line) => page.evaluate((said) => globalThis.sockets.at(-1).onmessage({ data: said }), line);
const early = () => {
    globalThis.sockets = [];
    globalThis.WebSocket = class extends WebSocket {
        constructor(...words) {
            super(...words);
            globalThis.sockets.push(this);
        }
    };
};

test("how long a line-up may take is known of each game, also of one that is not shown", async () => {
    const players = [await member("bok"), await member("pyo")], games = [];
    for (let i = 0; i < 2; i++) {
        const offer = (await players[0].ask("challenge pyo time=none", /^OK challenge id=(\d+)/))[1];
        games.push((await players[1].ask("accept " + offer, /^OK accept game=(\d+)/))[1]);
    }
    const page = await front({ early });
    for (const game of games) await hear(page, `! setup game=${game} side=red left_ms=3000000`);
    const show = async (game, time) => {
        await page.evaluate((path) => {
            history.pushState(null, "", path);
            dispatchEvent(new PopStateEvent("popstate"));
        }, "/game/" + game);
        await until(page, `"${time}" in game ${game}`, ({ source }) => document.querySelector(".board") !== null && new RegExp(source).test(document.querySelector(".countdown")?.textContent), { source: time.source });
    };
    await show(games[0], /^ (50:00|4\d:\d\d)$/);
    await show(games[1], /^ (50:00|4\d:\d\d)$/);
    await show(games[0], /^ (50:00|4\d:\d\d)$/);
    assert.deepEqual(page.faults, []);
});

test("the games are on another machine: a guest goes there, once; a player is shown the way", async () => {
    const other = new Server(["--web", "play", "--name", "The other machine"]);
    await other.start();
    const page = await visit(browser, server.url + "/?games", { early });
    await until(page, "the front page", () => document.querySelector(".invite"));
    for (const at of ["", " at=javascript:alert(1)", " at=evil/path:1", " at=a:b@evil:443", ` at=127.0.0.1:${server.port}`]) {
        await hear(page, `! bye why=elsewhere${at} : they are away`);
        assert.equal(new URL(page.url()).port, String(server.port), at);
    }
    await Promise.all([page.waitForNavigation(), hear(page, `! bye why=elsewhere at=127.0.0.1:${other.port}`)]);
    await until(page, "the other machine", () => /The other machine/.test(document.body.textContent));
    assert.equal(page.url(), `${other.url}/?games`);
    await page.goto(server.url + "/?games");
    await until(page, "the front page", () => document.querySelector(".invite"));
    await hear(page, `! bye why=elsewhere at=127.0.0.1:${other.port}`);
    await page.evaluate(() => globalThis.sockets.at(-1).close());
    await until(page, "the way, in place of a second journey", (wanted) => document.querySelector(".banner a")?.href === wanted, `${other.url}/?games`);
    const named = await visit(browser, server.url + "/?games", { early });
    await until(named, "the form", () => document.querySelector(".invite"));
    await press(named, "Play now");
    await giveName(named, "owner-of-name");
    await until(named, "the wait", () => /owner-of-name/.test(document.querySelector(".seeks")?.textContent));
    await hear(named, `! bye why=elsewhere at=127.0.0.1:${other.port}`);
    await named.evaluate(() => globalThis.sockets.at(-1).close());
    await until(named, "the way", () => /^The games are on another machine: 127/.test(document.querySelector(".banner")?.textContent));
    await picture(named, "elsewhere-1280x800");
    await other.remove();
    assert.deepEqual([...page.faults, ...named.faults].filter((fault) => !/WebSocket|ERR_CONNECTION|Failed to load/.test(fault)), []);
});

test("the line that proves a name opens it in another browser", async () => {
    const one = await member("traveller");
    const page = await front();
    await press(page, "Find an opponent");
    await giveName(page, `login traveller token=${one.token}`);
    await until(page, "the name", () => document.querySelector("details.identity summary")?.textContent === "traveller");
    await page.reload();
    await until(page, "the name, kept", () => document.querySelector("details.identity summary")?.textContent === "traveller");
    assert.deepEqual(page.faults, []);
});
