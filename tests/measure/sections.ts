/** What `npm run measure` measures, in order: each by a program of its own. */

export interface Section {
  name: string
  title: string
  /** A program of the project's or of the system's, and its arguments. */
  command: [program: string, ...rest: string[]]
  /** A script that is made into one file first, as the server is, and then run by Node with these arguments. */
  bundled?: string
  /** Whether it prints Markdown; what others print is shown as it is. */
  markdown?: boolean
}

/** A script that is run as it is: what loads it takes memory and time of the same process. */
const script = (file: string, ...rest: string[]): Section['command'] => ['tsx', file, ...rest]
const bench = 'tests/bench/run.ts'

export const SECTIONS: readonly Section[] = [
  {
    name: 'bench',
    title: 'Requests compared with a bare server',
    command: script('tests/bench/runs.ts'),
    markdown: true,
  },
  {
    name: 'profiles',
    title: 'Where the time of the worst rows goes',
    command: script('tests/bench/profiles.ts'),
    markdown: true,
  },
  {
    name: 'first-requests',
    title: 'The first requests of a process',
    command: script(bench, '--flags=--warm-up=off'),
  },
  {
    name: 'growth',
    title: 'Server-side apply by the length of a list',
    command: script(bench, '--growth'),
  },
  {
    name: 'curves',
    title: 'Operations by the number of objects',
    bundled: 'tests/measure/curves.ts',
    command: ['node'],
    markdown: true,
  },
  {
    name: 'memory',
    title: 'Memory of an object',
    bundled: 'tests/measure/memory.ts',
    command: ['node', '--expose-gc'],
    markdown: true,
  },
  {
    name: 'start',
    title: 'Start from what is stored',
    command: script('tests/measure/browser.ts', 'start'),
    markdown: true,
  },
  {
    name: 'service-worker',
    title: 'The service worker compared with one that does nothing',
    command: script('tests/measure/browser.ts', 'service-worker'),
    markdown: true,
  },
  { name: 'access', title: 'Decisions about rights', command: script('tests/bench/access.ts') },
  { name: 'policies', title: 'Policies', command: script('tests/bench/policies.ts') },
  {
    name: 'expressions',
    title: 'Expressions',
    command: ['npm', 'run', '--silent', 'bench:expressions'],
  },
  {
    name: 'hosts',
    title: 'Several hosts over one etcd',
    command: script('tests/bench/hosts.ts'),
    markdown: true,
  },
  {
    name: 'rollover',
    title: 'Rolling over a thousand pods',
    command: script('tests/bench/rollover.ts'),
  },
]
