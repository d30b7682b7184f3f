// The clocks of the page, without a browser.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";

const time = { now: () => time.ms, ms: 0 };
const Clocks = new Function("performance", readFileSync(join("client", "web", "clock.js"), "utf8") + "; return Clocks;")(time);

function red(clocks, at) {
    time.ms = at;
    const { ms, periods, inPeriod, more } = clocks.shown("red");
    return [ms, periods, inPeriod, more];
}

// Red has 30 s of main time when the turn begins, and 3 periods of 40 s.
function byoyomi() {
    time.ms = 0;
    const clocks = new Clocks("20m+3x40s");
    clocks.take({ red_ms: "30000", blue_ms: "1200000", red_periods: "3", blue_periods: "3" }, "red", true);
    return clocks;
}

test("the main time ends, and then the periods", () => {
    const clocks = byoyomi();
    assert.deepEqual(red(clocks, 29999), [1, 3, false, 3]);
    assert.deepEqual(red(clocks, 31000), [39000, 3, true, 2]);
    assert.deepEqual(red(clocks, 149999), [1, 1, true, 0]);
    assert.deepEqual(red(clocks, 151000), [0, 1, true, 0]);
});

test("the server tells whether a side is in a period", () => {
    const clocks = byoyomi(), told = { red_ms: "30000", blue_ms: "1200000", red_periods: "3", blue_periods: "3" };
    time.ms = 40000;
    clocks.take({ ...told, in_period: "red" }, "red", false);
    assert.deepEqual(red(clocks, 69999), [1, 3, true, 2]);
    assert.deepEqual(red(clocks, 71000), [39000, 2, true, 1]);
    for (const words of [{ in_period: "-" }, {}]) {
        time.ms = 40000;
        clocks.take({ ...told, ...words }, "red", false);
        assert.deepEqual(red(clocks, 71000), [39000, 3, true, 2]);
    }
});

test("a server of 0.1.0 does not tell it, but more than the main time is of a period", () => {
    const clocks = byoyomi();
    time.ms = 31000;
    clocks.take({ red_ms: "39000", blue_ms: "1200000", red_periods: "3", blue_periods: "3" }, "red", false);
    assert.deepEqual(red(clocks, 71000), [39000, 2, true, 1]);
});
