/** Files of tests run in one process and share modules: a hook at the top of one runs once. */
import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

const HOOK = /^(beforeEach|afterEach|beforeAll|afterAll)\(/m

it('keeps hooks out of the modules that files of tests share', () => {
  const shared = readdirSync('tests', { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.ts') && !file.endsWith('.test.ts'),
  )
  expect(shared.length).toBeGreaterThan(100)
  expect(shared.filter((file) => HOOK.test(readFileSync(`tests/${file}`, 'utf8')))).toEqual([])
})

it('finds such a hook', () => {
  expect(HOOK.test("import 'x'\nafterEach(() => server.close())\n")).toBe(true)
  expect(HOOK.test('export function setUpEachTest(): void {\n  afterEach(close)\n}\n')).toBe(false)
})
