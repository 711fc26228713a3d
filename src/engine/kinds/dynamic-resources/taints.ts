/** k8s.io/kubernetes, pkg/apis/resource/validation; KEP-5055. */

import { timestamp } from '../../core/environment'
import type { KubeObject } from '../../core/object'
import type { FieldError } from '../../http/status'
import { STATUS_ALONE, type Strategy, type StrategyEngine } from '../../registry/strategy'
import { conditionErrors, type StatusCondition } from '../../validation/conditions'
import {
  invalidLabelValue,
  invalidValue,
  notSupported,
  required,
  tooMany,
} from '../../validation/field-errors'
import { labelValueProblems, qualifiedNameProblems } from '../../validation/names'
import { driverNameErrors } from '../../validation/volumes'
import { Findings } from './findings'
import { labelNameErrors, poolNameErrors } from './names'

export interface DeviceTaint {
  key?: string
  value?: string
  effect?: string
  timeAdded?: string | null
}

export interface DeviceToleration {
  key?: string
  operator?: string
  value?: string
  effect?: string
}

const EFFECTS = ['NoExecute', 'NoSchedule', 'None']
const OPERATORS = ['Equal', 'Exists']

export const labelKeyErrors = (field: string, key: string): FieldError[] =>
  qualifiedNameProblems(key).map((problem) => invalidValue(field, key, problem))

const labelValueErrors = (field: string, value: string): FieldError[] =>
  labelValueProblems(value).map((problem) => invalidLabelValue(field, value, problem))

/** @param old its effect stays allowed */
export function addTaintErrors(
  findings: Findings,
  { key = '', value = '', effect = '' }: DeviceTaint,
  path: string,
  old?: DeviceTaint,
): void {
  findings.add(...labelKeyErrors(`${path}.key`, key))
  if (value !== '') findings.add(...labelValueErrors(`${path}.value`, value))
  if (old !== undefined && (old.effect ?? '') === effect) return
  const field = `${path}.effect`
  if (effect === '') findings.addTagged(required(field))
  else if (!EFFECTS.includes(effect)) findings.addTagged(notSupported(field, effect, EFFECTS))
}

export function addTolerationErrors(
  findings: Findings,
  { key = '', operator = '', value = '', effect = '' }: DeviceToleration,
  path: string,
): void {
  if (key !== '') findings.addTagged(...labelKeyErrors(`${path}.key`, key))
  const field = `${path}.value`
  if (operator === 'Exists' && value !== '')
    findings.add(invalidValue(field, value, 'must be empty for operator `Exists`'))
  if (operator === 'Equal') findings.add(...labelValueErrors(field, value))
  if (operator === '') findings.addTagged(required(`${path}.operator`))
  else if (!OPERATORS.includes(operator))
    findings.addTagged(notSupported(`${path}.operator`, operator, OPERATORS))
  if (effect !== '' && !EFFECTS.includes(effect))
    findings.addTagged(notSupported(`${path}.effect`, effect, EFFECTS))
}

interface TaintRule extends KubeObject {
  spec?: {
    deviceSelector?: { driver?: string; pool?: string; device?: string }
    taint?: DeviceTaint
  }
  status?: { conditions?: StatusCondition[] }
}

const MOST_CONDITIONS = 8

/** Also if the effect changes, but not the time. */
export function stampTaint(taint: DeviceTaint, now: string, old?: DeviceTaint): void {
  const { effect = '', timeAdded } = taint
  const isKept = old !== undefined && timeAdded === old.timeAdded && effect !== (old.effect ?? '')
  if (!timeAdded || isKept) taint.timeAdded = now
}

function stamp({ spec }: TaintRule, now: string, old?: TaintRule): void {
  if (spec?.taint) stampTaint(spec.taint, now, old?.spec?.taint)
}

function ruleErrors(engine: StrategyEngine, { spec = {} }: TaintRule, old?: TaintRule) {
  const { driver, pool, device } = spec.deviceSelector ?? {}
  const findings = new Findings(engine)
  const path = 'spec.deviceSelector'
  if (driver !== undefined) findings.add(...driverNameErrors(`${path}.driver`, driver))
  if (pool !== undefined) findings.add(...poolNameErrors(`${path}.pool`, pool))
  if (device !== undefined) findings.add(...labelNameErrors(`${path}.device`, device))
  addTaintErrors(findings, spec.taint ?? {}, 'spec.taint', old && (old.spec?.taint ?? {}))
  return findings.all
}

export const deviceTaintRuleStrategy: Strategy = {
  allowUnconditionalUpdate: false,
  generationFields: ['spec'],
  serverOwned: ['status'],
  statusKeeps: STATUS_ALONE,
  prepareForCreate: (object, { clock }) => stamp(object as TaintRule, timestamp(clock.now())),
  prepareForUpdate: (object, old, { clock }) =>
    stamp(object as TaintRule, timestamp(clock.now()), old as TaintRule),
  validate: (object, { engine }, old) =>
    ruleErrors(engine, object as TaintRule, old as TaintRule | undefined),
  status: {
    prepareForUpdate(object, old) {
      object.spec = old.spec
    },
    validateUpdate(object) {
      const field = 'status.conditions'
      const conditions = (object as TaintRule).status?.conditions ?? []
      const errors = conditionErrors(conditions, field)
      return conditions.length > MOST_CONDITIONS
        ? [...errors, tooMany(field, conditions.length, MOST_CONDITIONS)]
        : errors
    },
  },
}
