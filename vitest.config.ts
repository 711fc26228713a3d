import { defineConfig } from 'vitest/config'
import { LongestFirst } from './playwright/longest-first.ts'
import { lessons } from './scripts/vite-lessons.ts'

/** What is looked at again and again until it is so has as long as what a story waits for. */
const PATIENCE = { poll: { timeout: 30_000 } }

export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    tags: [{ name: 'extended', description: 'A variant of another test, or a long run of it.' }],
    projects: [
      {
        plugins: [lessons()],
        test: {
          name: 'unit',
          include: ['tests/**/*.test.ts', 'tests/**/*.test.tsx', 'src/**/*.test.ts'],
          exclude: ['tests/client/**', 'tests/etcd/**', 'tests/durability/etcd/**'],
          // Files share what they import: half the time goes into importing otherwise.
          isolate: false,
          expect: PATIENCE,
          // Property tests take seconds on a busy machine; no test asserts a time.
          testTimeout: 60_000,
          // One more than there would be by default where there are two cores.
          maxWorkers: 2,
        },
      },
      {
        test: {
          name: 'client',
          sequence: { groupOrder: 1 },
          include: ['tests/client/**/*.test.ts'],
          globalSetup: 'tests/client/setup.ts',
          isolate: false,
          testTimeout: 120_000,
          hookTimeout: 120_000,
          // kubectl's file takes as long as all others, which wait much.
          maxWorkers: 2,
        },
      },
      {
        test: {
          name: 'etcd',
          sequence: { groupOrder: 2 },
          include: ['tests/etcd/**/*.test.ts', 'tests/durability/etcd/**/*.test.ts'],
          isolate: false,
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      {
        plugins: [lessons()],
        test: {
          name: 'stories',
          include: ['playwright/**/*.test.ts'],
          exclude: ['playwright/firefox/**'],
          expect: PATIENCE,
          globalSetup: 'playwright/setup.ts',
          // Each file has a browser of its own: what else it loads it shares with the others.
          isolate: false,
          // What a story waits for has limits of its own; this one ends what hangs.
          testTimeout: 120_000,
          hookTimeout: 120_000,
          // Two browsers at a time keep two cores busy; more would wait for each other.
          maxWorkers: 2,
          sequence: { groupOrder: 3 },
        },
      },
      {
        test: {
          name: 'firefox',
          include: ['playwright/firefox/**/*.test.ts'],
          globalSetup: 'playwright/setup.ts',
          isolate: false,
          testTimeout: 60_000,
          hookTimeout: 120_000,
          maxWorkers: 1,
          sequence: { groupOrder: 4 },
        },
      },
    ],
  },
})
