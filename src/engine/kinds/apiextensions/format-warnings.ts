/**
 * * Warns of unknown formats, as `getUnrecognizedFormatsInCRD` of k8s.io/apiextensions-apiserver,
 * pkg/registry/customresourcedefinition.
 */
import { isJsonObject, type Json, type JsonObject } from '../../core/object'
import { goQuote } from '../../schema/go-text'
import { isKnownFormat } from '../../validation/custom-objects/formats'
import type { Definition } from './definition'

const LISTS = ['allOf', 'anyOf', 'oneOf'] as const
const MAPS = ['properties', 'patternProperties', 'definitions', 'dependencies'] as const
const SINGLE = ['items', 'not', 'additionalProperties', 'additionalItems'] as const

/** @param old causes no further warning */
export function formatWarnings(definition: Definition, old?: Definition): string[] {
  const known = old === undefined ? new Set<string>() : unrecognizedFormats(old)
  return [...unrecognizedFormats(definition)]
    .filter((format) => !known.has(format))
    .map((format) => `unrecognized format ${goQuote(format)}`)
}

function unrecognizedFormats({ spec }: Definition): Set<string> {
  const found = new Set<string>()
  for (const { schema } of spec?.versions ?? []) collect(schema?.openAPIV3Schema, found)
  return found
}

function collect(schema: Json | undefined, found: Set<string>): void {
  if (!isJsonObject(schema)) return
  const { type, format } = schema
  if (type === 'string' && typeof format === 'string' && format !== '' && !isRecognized(format))
    found.add(format)
  for (const name of SINGLE) collect(schema[name], found)
  for (const name of LISTS) for (const part of listOf(schema[name])) collect(part, found)
  for (const name of MAPS) for (const part of valuesOf(schema[name])) collect(part, found)
}

const isRecognized = (format: string): boolean => isKnownFormat(format, true)

const listOf = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? value : [])

const valuesOf = (value: Json | undefined): readonly Json[] =>
  isJsonObject(value) ? Object.values(value as JsonObject) : []
