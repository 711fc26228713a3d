/** Syntax of `--feature-gates`, and error messages of kube-apiserver. */
import { expect, it } from 'vitest'
import { FEATURE_GATES } from '../../src/engine/generated/feature-gates'
import { gatesOf } from '../../src/engine/server/gates'
import { featureGatesIn } from '../../src/hosts/node/feature-gates'

it.each([
  [['WatchList=true', 'OpenAPIEnums=false'], { WatchList: true, OpenAPIEnums: false }],
  [['kube:WatchList=1', ' OpenAPIEnums = F '], { WatchList: true, OpenAPIEnums: false }],
  [['', ':WatchList=TRUE'], { WatchList: true }],
])('%j sets gates', (texts, gates) => {
  expect(featureGatesIn(texts)).toEqual(gates)
})

it.each([
  ['WatchList', 'missing bool value for WatchList'],
  [
    'WatchList=maybe',
    'invalid value of WatchList=maybe, err: strconv.ParseBool: parsing "maybe": invalid syntax',
  ],
  ['WatchList=', 'invalid value of WatchList=, err: strconv.ParseBool: parsing "": invalid syntax'],
  [
    'WatchList=tRue',
    'invalid value of WatchList=tRue, err: strconv.ParseBool: parsing "tRue": invalid syntax',
  ],
  ['wardle:Feature=true', 'component not registered: wardle'],
])('%s is rejected', (text, message) => {
  expect(() => featureGatesIn([text])).toThrow(message)
})

it('names of inherited members are unknown gates', () => {
  for (const name of ['constructor', '__proto__', 'toString'])
    expect(() => gatesOf(featureGatesIn([`${name}=true`]))).toThrow(
      `unrecognized feature gate: ${name}`,
    )
})

it('every gate of the release accepts its default', () => {
  for (const [name, { default: on }] of Object.entries(FEATURE_GATES))
    expect(gatesOf({ [name]: on })[name]).toBe(on)
})
