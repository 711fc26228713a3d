/** Top-level members moved into versions: kubernetes.io, "Deprecated API Migration Guide". */
import { equalJson, isJsonObject, type Json, type JsonObject } from '../../core/object'
import type { Conversion } from '../conversion-type'
import { objectAt, objectsIn, withEach, withObject } from './members'

const HUB = { group: 'apiextensions.k8s.io', version: 'v1' }

const SHARED: [top: string, ofVersion: string][] = [
  ['validation', 'schema'],
  ['subresources', 'subresources'],
  ['additionalPrinterColumns', 'additionalPrinterColumns'],
  ['selectableFields', 'selectableFields'],
]

const otherwise = (object: JsonObject, from: string, to: string): JsonObject => {
  const { [from]: value, ...others } = object
  return value === undefined ? object : { ...others, [to]: value }
}

const withColumns = (version: JsonObject, from: string, to: string): JsonObject =>
  withEach(version, 'additionalPrinterColumns', (column) => otherwise(column, from, to))

function conversionToHub({
  webhookClientConfig,
  conversionReviewVersions,
  ...others
}: JsonObject): JsonObject {
  if (webhookClientConfig === undefined && conversionReviewVersions === undefined) return others
  return {
    ...others,
    webhook: {
      ...(webhookClientConfig === undefined ? {} : { clientConfig: webhookClientConfig }),
      conversionReviewVersions: conversionReviewVersions ?? null,
    },
  }
}

function conversionFromHub({ webhook, ...others }: JsonObject): JsonObject {
  if (!isJsonObject(webhook)) return others
  const { clientConfig, conversionReviewVersions } = webhook
  return {
    ...others,
    ...(clientConfig === undefined ? {} : { webhookClientConfig: clientConfig }),
    ...(conversionReviewVersions ? { conversionReviewVersions } : {}),
  }
}

function specToHub(spec: JsonObject): JsonObject {
  const {
    version,
    versions,
    validation,
    subresources,
    additionalPrinterColumns,
    selectableFields,
    ...others
  } = spec
  const top: Record<string, Json | undefined> = {
    validation,
    subresources,
    additionalPrinterColumns,
    selectableFields,
  }
  const named = objectsIn(versions)
  const all: JsonObject[] =
    named.length > 0 || !version ? named : [{ name: version, served: true, storage: true }]
  const full = all.map((entry) => {
    const version: JsonObject = { ...entry }
    for (const [ofAll, own] of SHARED) {
      const value = top[ofAll]
      if (version[own] === undefined && value !== undefined && value !== null)
        version[own] = structuredClone(value)
    }
    return withColumns(version, 'JSONPath', 'jsonPath')
  })
  return { ...withObject(others, 'conversion', conversionToHub), versions: full }
}

function specFromHub(spec: JsonObject): JsonObject {
  const { versions, ...others } = spec
  const all = objectsIn(versions).map((version) => withColumns(version, 'jsonPath', 'JSONPath'))
  const first = all[0]
  const top: JsonObject = {}
  const hoisted = SHARED.filter(([ofAll, own]) => {
    const value = first?.[own]
    if (value === undefined || !all.every((version) => equalJson(version[own], value))) return false
    top[ofAll] = value
    return true
  }).map(([, own]) => own)
  const bare = all.map((version) =>
    Object.fromEntries(Object.entries(version).filter(([name]) => !hoisted.includes(name))),
  )
  return {
    ...withObject(others, 'conversion', conversionFromHub),
    preserveUnknownFields: others.preserveUnknownFields ?? false,
    ...(first?.name ? { version: first.name } : {}),
    ...top,
    versions: bare,
  }
}

export const definitionV1beta1: Conversion = {
  hub: HUB,
  toHub: (object) => ({
    ...withObject(object, 'spec', specToHub),
    apiVersion: 'apiextensions.k8s.io/v1',
  }),
  fromHub: (object) => ({
    ...withObject(object, 'spec', specFromHub),
    apiVersion: 'apiextensions.k8s.io/v1beta1',
    ...(objectAt(object, 'status') ? { status: object.status } : {}),
  }),
}
