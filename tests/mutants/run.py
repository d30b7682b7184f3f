#!/usr/bin/env python3
"""Puts one fault at a time into a copy of the rules, and runs their tests: who notices?

    run.py --build DIR [--sample N] [--seed N] [--only WORD] [--jobs N]

The faults stand in list.txt beside this file. A mutant is killed when a test fails, crashes, hangs
or does not compile any more; one that survives is a missing test, unless the list explains it.
"""
import argparse
import concurrent.futures
import os
import pathlib
import queue
import random
import re
import resource
import shutil
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
RULES = ('side board move reach legal rules ruleset clock event game manners '
         'diagram term sentence text mem translate').split()
SOURCES = {path.stem: str(path.relative_to(ROOT)) for path in ROOT.glob('common/*/*.c')}
# Fast ones first; the last two take most of the time.
UNITS = 'fault board move diagram clock event game rules limits'.split()
FLAGS = ['-std=c11', '-D_GNU_SOURCE', '-I.', '-O1', '-w']
HANGS_S = 60


class Mutant:
    """One entry of the list."""

    def __init__(self, path, title):
        self.path, self.title = path, title
        self.old, self.new, self.why = '', '', ''

    def apply(self, text):
        """The text with the fault in it. Breaks of lines are spaces; it must apply once."""
        pattern = r'\s+'.join(re.escape(word) for word in self.old.split())
        if len(re.findall(pattern, text)) != 1:
            raise SystemExit(f'{self.path}: "{self.title}" applies '
                             f'{len(re.findall(pattern, text))} times, not once')
        return re.sub(pattern, lambda _: self.new, text)


def read_list(path):
    """Entries: FILE: title, then - old, + new, and ~ why it survives, if it may."""
    mutants = []
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if not line.strip() or line.startswith('#'):
            continue
        mark, _, rest = line.partition(' ')
        if mark == '-':
            mutants[-1].old += ' ' + rest
        elif mark == '+':
            mutants[-1].new += ' ' + rest
        elif mark == '~':
            mutants[-1].why += rest + ' '
        elif mark.endswith(':'):
            mutants.append(Mutant(mark[:-1], rest))
        else:
            raise SystemExit(f'{path}:{number}: neither an entry nor a part of one')
    return mutants


def limit():
    """A mutant may loop and eat memory: then it is dead, not the machine."""
    resource.setrlimit(resource.RLIMIT_AS, (2 << 30, 2 << 30))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


class Tree:
    """A copy of the sources, built once, in which one worker tries its mutants."""

    def __init__(self, path):
        self.path = path
        shutil.rmtree(path, ignore_errors=True)
        for part in ('common', 'tests/unit', 'tests/rules', 'tests/lib', 'tests/checker', 'tests/fuzz', 'tests/data'):
            shutil.copytree(ROOT / part, path / part)
        self.objects = [f'{name}.o' for name in RULES]
        for name in RULES:
            self.compile(SOURCES[name], f'{name}.o')
        self.tests = self.find_tests()
        for _, sources, _ in self.tests:
            for source in sources:
                self.compile(source, self.object_of(source))

    @staticmethod
    def object_of(source):
        return source.replace('/', '_')[:-2] + '.o'

    def find_tests(self):
        """(name, sources, arguments), in the order in which they are run."""
        tests = [(f'test_{name}', [f'tests/unit/common/test_{name}.c'], []) for name in UNITS
                 if (self.path / f'tests/unit/common/test_{name}.c').exists()]
        for source in sorted((self.path / 'tests/rules').glob('test_*.c')):
            tests.insert(0, (source.stem, [f'tests/rules/{source.name}'], []))
        for name in ('position', 'move', 'event'):
            corpus = sorted(str(file) for file in (self.path / f'tests/fuzz/corpus/{name}').iterdir())
            tests.append((f'fuzz_{name}', [f'tests/fuzz/fuzz_{name}.c', 'tests/fuzz/replay.c'],
                          corpus))
        tests.append(('differential', ['tests/rules/differential.c', 'tests/checker/fairy.c'],
                      ['--positions', '6000', '--seed', '12345']))
        return tests

    def run(self, command):
        """True if it ends well and in time."""
        process = subprocess.Popen(command, cwd=self.path, preexec_fn=limit, start_new_session=True,
                                   stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL)
        try:
            return process.wait(timeout=HANGS_S) == 0
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, 9)
            process.wait()
            return False

    def compile(self, source, target):
        return self.run(['cc', *FLAGS, '-c', '-o', target, source])

    def passes(self, test):
        name, sources, arguments = test
        objects = [self.object_of(source) for source in sources]
        return self.run(['cc', '-o', name, *objects, *self.objects, '-lcmocka', '-ljansson']) and \
            self.run([f'./{name}', *arguments])

    def build(self, path):
        """Returns all files that depend on path."""
        if path.endswith('.c'):
            return self.compile(path, pathlib.Path(path).stem + '.o')
        built = all([self.compile(SOURCES[name], f'{name}.o') for name in RULES])
        return built and all([self.compile(source, self.object_of(source))
                              for _, sources, _ in self.tests for source in sources])

    def killer(self, mutant):
        """Returns the name of the test that fails, or None."""
        file = self.path / mutant.path
        sound = file.read_text()
        file.write_text(mutant.apply(sound))
        try:
            if not self.build(mutant.path):
                return 'the compiler'
            for test in self.tests:
                if not self.passes(test):
                    return test[0]
            return None
        finally:
            file.write_text(sound)
            self.build(mutant.path)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--build', required=True, type=pathlib.Path)
    parser.add_argument('--sample', type=int, default=0)
    parser.add_argument('--seed', type=int, default=time.time_ns() % 1000000)
    parser.add_argument('--only', default='')
    parser.add_argument('--jobs', type=int, default=os.cpu_count() or 1)
    options = parser.parse_args()

    mutants = read_list(pathlib.Path(__file__).with_name('list.txt'))
    for mutant in mutants:
        mutant.apply((ROOT / mutant.path).read_text())
    total = len(mutants)
    mutants = [m for m in mutants if options.only in m.path + ' ' + m.title]
    if options.sample:
        print(f'# {options.sample} of {total}, seed {options.seed}')
        mutants = random.Random(options.seed).sample(mutants, min(options.sample, len(mutants)))

    trees = queue.Queue()
    for job in range(options.jobs):
        tree = Tree(options.build.resolve() / 'mutants' / str(job))
        trees.put(tree)
    for test in tree.tests:
        if not tree.passes(test):
            raise SystemExit(f'not ok mutants: {test[0]} fails without a fault')

    def attempt(mutant):
        tree = trees.get()
        try:
            return tree.killer(mutant)
        finally:
            trees.put(tree)

    survived = explained = 0
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for mutant, killer in zip(mutants, pool.map(attempt, mutants)):
            words = f'{mutant.path}: {mutant.title}'
            if killer and mutant.why:
                survived += 1
                print(f'not ok mutants {words}: explained in the list, but killed by {killer}')
            elif killer:
                print(f'ok mutants {words}: killed by {killer}')
            elif mutant.why:
                explained += 1
                print(f'ok mutants {words}: survives, for {mutant.why}')
            else:
                survived += 1
                print(f'not ok mutants {words}: survives')
            sys.stdout.flush()
    print(f'# {len(mutants)} mutants: {len(mutants) - survived - explained} killed, '
          f'{explained} explained, {survived} survived')
    return 1 if survived else 0


if __name__ == '__main__':
    sys.exit(main())
