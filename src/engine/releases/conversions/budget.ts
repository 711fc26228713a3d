/**
 * An empty selector selects nothing in v1beta1, everything in v1: conversion requires a label that
 * no pod has. See kubernetes.io, "Deprecated API Migration Guide".
 */
import { equalJson, type JsonObject, type KubeObject } from '../../core/object'
import type { Conversion } from '../conversion-type'
import { objectAt, withObject } from './members'

const HUB = { group: 'policy', version: 'v1' }
const LABEL = 'pdb.kubernetes.io/deprecated-v1beta1-empty-selector-match'
const about = (operator: string): JsonObject => ({ matchExpressions: [{ key: LABEL, operator }] })

const SELECTORS: [stored: JsonObject, beta: JsonObject][] = [
  [about('Exists'), {}],
  [{}, about('DoesNotExist')],
]

function selectorParts(selector: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(selector).filter(
      ([, value]) => value !== null && Object.keys(value as object).length > 0,
    ),
  )
}

function translated(object: KubeObject, from: 0 | 1, to: 0 | 1): KubeObject {
  return withObject(object, 'spec', (spec) => {
    const selector = objectAt(spec, 'selector')
    const found =
      selector && SELECTORS.find((pair) => equalJson(selectorParts(selector), pair[from]))
    return found ? { ...spec, selector: structuredClone(found[to]) } : spec
  })
}

export const budgetV1beta1: Conversion = {
  hub: HUB,
  toHub: (object) => ({ ...translated(object, 1, 0), apiVersion: 'policy/v1' }),
  fromHub: (object) => ({ ...translated(object, 0, 1), apiVersion: 'policy/v1beta1' }),
}
