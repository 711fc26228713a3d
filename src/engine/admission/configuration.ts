/**
 * Reads the file of `--admission-control-config-file`. kubernetes.io, kube-apiserver Configuration
 * v1, AdmissionConfiguration.
 */
import type { Files } from '../core/environment'
import { isJsonObject, type JsonObject } from '../core/object'
import { goQuote } from '../schema/go-text'
import { readYaml, YamlSyntaxError } from '../schema/yaml/reader'

export class AdmissionConfigurationError extends Error {}

/** By plugin. */
export type PluginConfigurations = Readonly<Record<string, JsonObject>>

const VERSIONS = ['apiserver.config.k8s.io/v1', 'apiserver.k8s.io/v1alpha1']
const KIND = 'AdmissionConfiguration'

/** @throws AdmissionConfigurationError, and errors of `files` */
export function readAdmissionConfiguration(path: string, files: Files): PluginConfigurations {
  const document = documentOf(files.read(path), path)
  checkKind(document, VERSIONS, KIND)
  const plugins = Array.isArray(document.plugins) ? document.plugins : []
  return Object.fromEntries(
    plugins.map((entry) => configurationOf(isJsonObject(entry) ? entry : {}, path, files)),
  )
}

function configurationOf(
  entry: JsonObject,
  path: string,
  files: Files,
): [name: string, configuration: JsonObject] {
  const { name, configuration, path: file } = entry
  if (typeof name !== 'string' || name === '')
    throw new AdmissionConfigurationError('a plugin of the configuration has no name')
  if (isJsonObject(configuration)) return [name, configuration]
  if (typeof file !== 'string' || file === '') return [name, {}]
  const resolvedPath = file.startsWith('/') ? file : path.replace(/[^/]*$/, '') + file
  return [name, documentOf(files.read(resolvedPath), resolvedPath)]
}

function documentOf(text: string, path: string): JsonObject {
  try {
    const { value } = readYaml(text)
    if (isJsonObject(value)) return value
  } catch (error) {
    if (!(error instanceof YamlSyntaxError)) throw error
    throw new AdmissionConfigurationError(`${path}: ${error.message}`)
  }
  throw new AdmissionConfigurationError(`${path} holds no object`)
}

/** @throws AdmissionConfigurationError */
export function checkKind(
  { apiVersion, kind }: JsonObject,
  versions: readonly string[],
  wanted: string,
): void {
  if (kind === wanted && versions.includes(String(apiVersion))) return
  throw new AdmissionConfigurationError(
    `no kind ${goQuote(String(kind ?? ''))} is registered for version ${goQuote(String(apiVersion ?? ''))}`,
  )
}

/** @throws AdmissionConfigurationError */
export function checkMembers(object: JsonObject, known: readonly string[], path: string): void {
  const unknown = Object.keys(object).find((name) => !known.includes(name))
  if (unknown === undefined) return
  throw new AdmissionConfigurationError(
    `strict decoding error: unknown field ${goQuote(path === '' ? unknown : `${path}.${unknown}`)}`,
  )
}
