/**
 * Shared links: the state of the cluster and of the editors, compressed into the part of the address behind `#`, which no
 * server ever sees. `#k1=` names the format; a later format gets another number, and this one is still read.
 */
import { deflateSync, Inflate, strFromU8, strToU8 } from 'fflate'
import type { KubeObject } from '../../engine/object'
import { MOST_NESTED, nestsDeeper } from '../../engine/schema/nesting'
import type { EditorTab } from '../state/editors'

export interface Scenario {
  objects: KubeObject[]
  tabs: Pick<EditorTab, 'title' | 'language' | 'text' | 'manager'>[]
}

const MARK = 'k1='
/** Longer addresses do not survive chat programs and mail. */
export const COMFORTABLE_LENGTH = 2000
/** A link from a stranger must not be able to fill the memory. */
const LONGEST_TEXT = 32 * 1024 * 1024
const PIECE = 16 * 1024

/** The address's hash without `#`. */
export function encodeScenario(scenario: Scenario): string {
  return MARK + toBase64Url(deflateSync(strToU8(JSON.stringify(scenario)), { level: 9 }))
}

/** @returns undefined if the hash is no scenario @throws Error saying what is wrong with one that cannot be read */
export function decodeScenario(hash: string): Scenario | undefined {
  const text = hash.replace(/^#/, '')
  if (!/^k\d+=/.test(text)) return undefined
  if (!text.startsWith(MARK)) throw new Error('this link was made by a newer version of the page: reload it to get that version')
  try {
    return checked(JSON.parse(inflated(fromBase64Url(text.slice(MARK.length)))))
  } catch (error) {
    throw new Error(
      `this link is damaged or was cut short (${error instanceof Error ? error.message : String(error)}): ask for it again, or for the file`,
    )
  }
}

/** @throws Error when there is more than the longest text, or less than there should be */
export function inflated(bytes: Uint8Array, longest: number = LONGEST_TEXT): string {
  const chunks: Uint8Array[] = []
  let length = 0
  let ended = false
  const stream = new Inflate((chunk, final) => {
    chunks.push(chunk)
    length += chunk.length
    ended = final
    if (length > longest) throw new Error('it is far too large')
  })
  for (let at = 0; at < bytes.length; at += PIECE) stream.push(bytes.subarray(at, at + PIECE), at + PIECE >= bytes.length)
  if (!ended) throw new Error('its end is missing')
  const whole = new Uint8Array(length)
  let at = 0
  for (const chunk of chunks) {
    whole.set(chunk, at)
    at += chunk.length
  }
  return strFromU8(whole)
}

/** Only what the page itself would have written is taken. */
function checked(value: unknown): Scenario {
  const { objects, tabs } = value as Partial<Scenario>
  if (!Array.isArray(objects) || !Array.isArray(tabs)) throw new Error('parts are missing')
  const texts = (...values: unknown[]) => values.every((text) => typeof text === 'string')
  const soundObjects = objects.every(
    (object) => texts(object?.kind, object?.apiVersion, object?.metadata?.name) && !nestsDeeper(object, MOST_NESTED),
  )
  const soundTabs = tabs.every(
    (tab) => texts(tab?.title, tab?.text, tab?.manager ?? '') && (tab.language === 'yaml' || tab.language === 'typescript'),
  )
  if (!soundObjects || !soundTabs) throw new Error('parts of it are not what they should be')
  return { objects, tabs: tabs.map(({ title, language, text, manager }) => ({ title, language, text, ...(manager ? { manager } : {}) })) }
}

export function toBase64Url(bytes: Uint8Array): string {
  let text = ''
  for (let i = 0; i < bytes.length; i += 0x8000) text += String.fromCharCode(...bytes.subarray(i, i + 0x8000))
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
}

export function fromBase64Url(text: string): Uint8Array {
  return Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (sign) => sign.charCodeAt(0))
}
