/**
 * Evaluations a second of three expressions: ours, which counts every step, next to the other implementations of the language, which
 * count nothing. Each compiles an expression once and gets the same plain objects.
 *
 *   npm run bench:expressions -- [--seconds 0.4] [--rounds 5]
 */

import { parseArgs } from 'node:util'
import {
  CelScalar,
  celEnv,
  isCelError,
  mapType,
  parse as parseOfBufbuild,
  plan,
} from '@bufbuild/cel'
import { Environment as EnvironmentOfMarcbachmann } from '@marcbachmann/cel-js'
import { evaluate as evaluateOfCelJs, parse as parseOfCelJs } from 'cel-js'
import { compile } from '../../src/engine/cel/compile'
import { activationOf } from '../../src/engine/cel/evaluation/frame'
import { serverEnvironment } from '../../src/engine/cel/server-environment'
import { DYN } from '../../src/engine/cel/types/type'
import { valueOfJson } from '../../src/engine/cel/values/json'
import type { JsonObject } from '../../src/engine/core/object'
import { median } from '../support/median'

const { values: options } = parseArgs({
  options: {
    seconds: { type: 'string', default: '0.4' },
    rounds: { type: 'string', default: '5' },
  },
})

const containers = Array.from({ length: 10 }, (_, index) => ({
  name: `c${index}`,
  image: `registry.example/app-${index}:1.${index}`,
}))
const given: Record<'object' | 'params', JsonObject> = {
  object: {
    metadata: { name: 'a', labels: { app: 'a', team: 'b' } },
    spec: { replicas: 3, containers },
  },
  params: { maxReplicas: 5 },
}

const EXPRESSIONS = {
  'compare two fields': 'object.spec.replicas <= params.maxReplicas',
  'all of ten containers':
    "object.spec.containers.all(c, c.image.startsWith('registry.example/') && !c.image.endsWith(':latest'))",
  'exists and has':
    "has(object.metadata.labels) && object.spec.containers.exists(c, c.name == 'c1')",
}

type Evaluate = () => unknown

const ENGINES: Record<string, (text: string) => Evaluate> = {
  ours(text) {
    const { program, issues } = compile(
      text,
      serverEnvironment({ object: DYN, params: DYN }, { use: 'stored', strictCost: true }),
    )
    if (program === undefined) throw new Error(issues)
    const budget = { limit: 1_000_000 }
    const values = activationOf({
      object: valueOfJson(given.object),
      params: valueOfJson(given.params),
    })
    return () => program.evaluate(values, budget).value
  },
  'ours, from JSON each time'(text) {
    const { program, issues } = compile(
      text,
      serverEnvironment({ object: DYN, params: DYN }, { use: 'stored', strictCost: true }),
    )
    if (program === undefined) throw new Error(issues)
    const budget = { limit: 1_000_000 }
    return () =>
      program.evaluate(
        activationOf({ object: valueOfJson(given.object), params: valueOfJson(given.params) }),
        budget,
      ).value
  },
  '@marcbachmann/cel-js'(text) {
    const evaluate = new EnvironmentOfMarcbachmann()
      .registerVariable('object', 'dyn')
      .registerVariable('params', 'dyn')
      .parse(text)
    return () => evaluate(given)
  },
  '@bufbuild/cel'(text) {
    const members = mapType(CelScalar.STRING, CelScalar.DYN)
    const evaluate = plan(
      celEnv({ variables: { object: members, params: members } }),
      parseOfBufbuild(text),
    )
    return () => {
      const value = evaluate(given as never)
      if (isCelError(value)) throw value
      return value
    }
  },
  'cel-js'(text) {
    const parsed = parseOfCelJs(text)
    if (!parsed.isSuccess) throw new Error(parsed.errors.join())
    return () => evaluateOfCelJs(parsed.cst, given)
  },
}

const processorSeconds = (): number => process.cpuUsage().user / 1e6

/** Per second of the processor, so that what else runs on the machine counts less. */
function perSecond(evaluate: Evaluate, seconds: number): number {
  const began = processorSeconds()
  let count = 0
  let passed = 0
  while (passed < seconds) {
    for (let once = 0; once < 1000; once++) evaluate()
    count += 1000
    passed = processorSeconds() - began
  }
  return count / passed
}

const shown = (rate: number): string =>
  Number.isNaN(rate)
    ? 'not offered'
    : rate >= 1e6
      ? `${(rate / 1e6).toFixed(2)} M`
      : `${(rate / 1e3).toFixed(0)} k`

const names = Object.keys(EXPRESSIONS)
console.log(['evaluations a second'.padEnd(28), ...names.map((name) => name.padStart(22))].join(''))
/** Undefined: the implementation does not offer what the expression uses. */
function prepared(compiled: (text: string) => Evaluate, text: string): Evaluate | undefined {
  try {
    const evaluate = compiled(text)
    return evaluate() === true ? evaluate : undefined
  } catch {
    return undefined
  }
}

for (const [engine, compiled] of Object.entries(ENGINES)) {
  const evaluations = Object.values(EXPRESSIONS).map((text) => prepared(compiled, text))
  const seconds = Number(options.seconds)
  for (const evaluate of evaluations) if (evaluate) perSecond(evaluate, seconds)
  const rounds = Array.from({ length: Number(options.rounds) }, () =>
    evaluations.map((evaluate) => (evaluate ? perSecond(evaluate, seconds) : Number.NaN)),
  )
  const medians = names.map((_, index) => median(rounds.map((round) => round[index] ?? Number.NaN)))
  console.log([engine.padEnd(28), ...medians.map((rate) => shown(rate).padStart(22))].join(''))
}
