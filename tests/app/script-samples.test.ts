/** The sample scripts compile without errors, as the editor checks them. */
import { readdirSync } from 'node:fs'
import ts from 'typescript-compiler'
import { expect, it } from 'vitest'

const folder = new URL('../../src/app/features/scripts/samples/', import.meta.url)
const samples = readdirSync(folder).map((name) => new URL(name, folder).pathname)

/** The options of monaco-setup.ts. */
const options: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.ESNext,
  moduleDetection: ts.ModuleDetectionKind.Force,
  lib: ['lib.es2022.d.ts', 'lib.dom.d.ts'],
  types: [],
  noEmit: true,
}

it('have no type errors', () => {
  expect(samples.length).toBeGreaterThan(1)
  const program = ts.createProgram(samples, options)
  const problems = ts
    .getPreEmitDiagnostics(program)
    .map(({ messageText, file }) => [
      file?.fileName,
      ts.flattenDiagnosticMessageText(messageText, '\n'),
    ])
  expect(problems).toEqual([])
})
