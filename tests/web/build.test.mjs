// The page in the build.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";

const build = join(process.env.BUILD ?? "build", "late");

test("a build without the page's compiler gets the page when the compiler is there", () => {
    rmSync(build, { recursive: true, force: true });
    const files = join(build, "web_files.c"), make = (...words) => execFileSync("make", [...words, "BUILD=" + build, files], { encoding: "utf8" });
    make("WASM_CC=false");
    assert.match(make("--dry-run"), /web_files\.sh .*\/page\.js/);
    rmSync(build, { recursive: true, force: true });
});
