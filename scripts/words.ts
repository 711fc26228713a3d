// cspell:ignore RTNETLINK
/** The avoided words of docs/glossary.md, and a search for them. */

export interface AvoidedWord {
  pattern: RegExp
  instead: string
}

export interface Finding {
  /** Counted from 1. */
  line: number
  found: string
  instead: string
}

const ROW = /^\| `([^`]+)` \| (.+) \|$/

/**
 * @param glossary Markdown with tables of rows "| `word, word` | instead |" under a heading. A word
 * between `/` is a regular expression.
 * @throws Error without such a row: a check without words would pass
 */
export function avoidedWords(glossary: string, heading = 'Words to avoid'): AvoidedWord[] {
  const section = glossary.split(new RegExp(`^## ${heading}$`, 'm'))[1]?.split(/^## /m)[0] ?? ''
  const rows = section.split('\n').flatMap((line) => {
    const [, words, instead] = ROW.exec(line) ?? []
    return words === undefined || instead === undefined
      ? []
      : words.split(', ').map((word) => ({ pattern: patternOf(word), instead }))
  })
  if (rows.length === 0) throw new Error(`docs/glossary.md has no rows under "${heading}"`)
  return rows
}

function patternOf(word: string): RegExp {
  if (word.startsWith('/') && word.endsWith('/')) return new RegExp(word.slice(1, -1), 'gi')
  return new RegExp(`\\b${word}\\b`, 'gi')
}

/**
 * Correct uses: messages of kube-apiserver, kubectl, Go and the operating system, and names of
 * other software.
 */
const ALLOWED = [
  /connection[ _]?refused|ECONNREFUSED|'REFUSED\\n|refused_?stream|NGHTTP2_\w+/gi,
  /[Ee]dit cancelled|CancelledRequests|Cancelling deletion of/g,
  /operation cancelled: actual cost limit exceeded/g,
  // Options and output of dig.
  /[+']answer\b|ANSWER(?: SECTION|: )|Got answer/g,
  // An error of ip.
  /RTNETLINK answers/g,
  // A user of Linux images, and a name in recorded commands of kubectl.
  /'nobody'|(?:-contexts?|--as)[ =]nobody/g,
  // A name of the TypeScript API.
  /isNoSubstitutionTemplateLiteral/g,
  // Synonyms for the search in the page. cspell:ignore colours
  /colours(?: colors|$)/g,
  // Earlier names in stored clusters. cspell:ignore behaviour behaviours
  /(?:simulated|simulation)[.\w]*[-/]behaviours?|cspell:ignore[\w ]+/g,
  // A member of the published lesson format.
  /\bsays(?=:)|\.says\b|'says'|`says`/g,
  /the server has asked for the client to provide credentials/g,
  // Tokens and certificates are signed.
  /\bsigns(?= (?:tokens|and verifies|both certificates|the cluster-info))/gi,
  // A YAML document's position, in messages of the test kit.
  /(?:\.yaml, |['`])document [123](?=[,:' ])/g,
  // A function of the recorded webhook programs.
  /\banswer(?=\(path: |: respond\b)/g,
  // Base64 of certificates.
  /^\s*[A-Za-z\d+/]{40,}={0,2}$/g,
  // Names of recordings and files in backticks.
  /`[a-z\d]+(?:-[a-z\d]+)+(?:\/[a-z\d-]+)?`/g,
  /the server has received too many requests and has asked us to try again later/g,
]

/** `isNewPath` becomes `is New Path`. */
const separated = (text: string): string =>
  text.replace(/([a-z\d])([A-Z])/g, '$1 $2').replace(/_/g, ' ')

/** @returns the avoided words in order of lines */
export function findingsIn(text: string, avoided: readonly AvoidedWord[]): Finding[] {
  return text.split('\n').flatMap((original, index) => {
    const line = separated(ALLOWED.reduce((rest, phrase) => rest.replace(phrase, ''), original))
    return avoided.flatMap(({ pattern, instead }) =>
      [...line.matchAll(pattern)].map(([found]) => ({ line: index + 1, found, instead })),
    )
  })
}
