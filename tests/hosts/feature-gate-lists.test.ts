/**
 * Every feature gate either has an effect, or is listed as one without; the few others keep their
 * default with a reason.
 */
import { describe, expect, it } from 'vitest'
import { FEATURE_GATES } from '../../src/engine/generated/feature-gates'
import { baseTables } from '../../src/engine/release-tables/base-tables'
import { FIXED_GATES, OBEYED_GATES } from '../../src/engine/release-tables/gate-effects'
import { gateWithoutEffect } from '../../src/engine/release-tables/gates-without-effect'
import { gatesOf, gateWarnings } from '../../src/engine/server/gates'
import { OptionError } from '../../src/engine/server/option-error'
import { usage } from '../../src/hosts/node/help'

/** Gates that set others. */
const STAGES = ['AllAlpha', 'AllBeta']
const CHANGEABLE = Object.entries(FEATURE_GATES).filter(([name]) => !STAGES.includes(name))

/** @returns the error of a value other than the default */
function errorOf(name: string, on: boolean): string | undefined {
  try {
    // The rule between these two gates has its own test.
    const needed: Record<string, boolean> =
      name === 'AuthorizeNodeWithSelectors' ? { AuthorizeWithSelectors: true } : {}
    const bound: Record<string, boolean> =
      name === 'ServiceAccountTokenNodeBindingValidation'
        ? { ServiceAccountTokenNodeBinding: false }
        : {}
    expect(gatesOf({ ...needed, ...bound, [name]: on })[name]).toBe(on)
    return undefined
  } catch (error) {
    if (!(error instanceof OptionError)) throw error
    return error.message
  }
}

describe.each(CHANGEABLE)('%s', (name, { stage, default: isOn }) => {
  const lists = [
    OBEYED_GATES.includes(name),
    gateWithoutEffect(name) !== undefined,
    Object.hasOwn(FIXED_GATES, name),
  ].filter(Boolean).length

  it('is in exactly one list, or locked by the release', () => {
    const error = errorOf(name, !isOn)
    if (stage === 'GA' && lists === 0)
      expect(error).toBe(
        `cannot set feature gate ${name} to ${!isOn}, feature is locked to ${isOn}`,
      )
    else expect(lists).toBe(1)
  })

  it('accepts another value, or is rejected with the reason', () => {
    if (stage === 'GA' && lists === 0) return
    expect(errorOf(name, !isOn)).toBe(
      Object.hasOwn(FIXED_GATES, name)
        ? `feature gate ${name} cannot be changed here: ${FIXED_GATES[name]}`
        : undefined,
    )
  })
})

it('warns about a gate without effect, and lists all of them in --help', () => {
  expect(gateWarnings({ WinDSR: true })).toEqual([
    'feature gate WinDSR has no effect: only kube-proxy reads it, and services have no traffic',
  ])
  expect(gateWarnings({ ExecProbeTimeout: false })).toEqual([
    'Setting GA feature gate ExecProbeTimeout=false. It will be removed in a future release.',
    'feature gate ExecProbeTimeout has no effect: only the kubelet reads it, and nodes are simulated',
  ])
  expect(gateWarnings({ WatchList: true })).toEqual([])
  const help = usage(baseTables())
  for (const [name] of CHANGEABLE) {
    if (gateWithoutEffect(name) !== undefined) expect(help).toMatch(new RegExp(`\\b${name}[,:]`))
    if (OBEYED_GATES.includes(name)) expect(help).toContain(`${name}=true|false (`)
  }
})
