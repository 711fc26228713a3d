/** `npm run api-document`: docs/api.md, out of the declarations of the package and the comments above them. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { writePackage } from './package'

interface Declaration {
  kind: 'function' | 'class' | 'interface'
  name: string
  comment: string
  /** As it stands, without comments. */
  text: string
  members: { comment: string; text: string }[]
}

/** @param folder of a written package @returns the document's text */
export function apiDocument(folder: string): string {
  const texts = readdirSync(folder).filter(
    (file) => file.endsWith('.d.ts') && file !== 'index.d.ts',
  )
  const all = texts.flatMap((file) => declarationsIn(readFileSync(join(folder, file), 'utf8')))
  const index = readFileSync(join(folder, 'index.d.ts'), 'utf8')
  const names = [...index.matchAll(/export (?:type )?\{([^}]*)\}/g)].flatMap(([, list = '']) =>
    list
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== ''),
  )
  const found = names.flatMap((name) => all.filter((one) => one.name === name))
  const missing = names.filter((name) => !found.some((one) => one.name === name))
  if (missing.length > 0) throw new Error(`no declaration of ${missing.join(', ')}`)
  const undocumented = found.filter(({ comment }) => comment === '').map(({ name }) => name)
  if (undocumented.length > 0) throw new Error(`nothing is said of ${undocumented.join(', ')}`)
  const part = (title: string, kinds: Declaration['kind'][], show: (one: Declaration) => string) =>
    `## ${title}\n\n${found
      .filter(({ kind }) => kinds.includes(kind))
      .map(show)
      .join('\n')}`
  return [
    '# API\n\nWhat the package exports, out of its declarations; [package.md](package.md) tells how it is used. Made by `npm run api-document`.\n',
    part('Functions', ['function'], shownFunction),
    part('Types', ['class', 'interface'], shownType),
  ].join('\n')
}

function declarationsIn(text: string): Declaration[] {
  const found: Declaration[] = []
  for (const match of text.matchAll(
    /(\/\*\*(?:(?!\*\/)[\s\S])*\*\/\s*)?export (?:declare )?(function|class|interface) (\w+)/g,
  )) {
    const [whole, comment = '', kind, name = ''] = match
    const start = match.index + comment.length
    const end = endOf(text, start)
    const declared = text.slice(start, end)
    const body = kind === 'function' ? '' : declared.slice(declared.indexOf('{') + 1, -1)
    if (whole)
      found.push({
        kind: kind as Declaration['kind'],
        name,
        comment: plain(comment),
        text: declared,
        members: membersIn(body),
      })
  }
  return found
}

/** Behind the declaration: its last brace, or the semicolon of what has none. */
function endOf(text: string, start: number): number {
  const isFunction = /^export (?:declare )?function/.test(text.slice(start))
  let depth = 0
  for (let at = start; at < text.length; at++) {
    if (text.startsWith('/**', at)) at = text.indexOf('*/', at) + 1
    else if ('{('.includes(text[at] as string)) depth++
    else if ('})'.includes(text[at] as string)) {
      depth--
      if (depth === 0 && text[at] === '}' && !isFunction) return at + 1
    } else if (text[at] === ';' && depth === 0 && isFunction) return at + 1
  }
  return text.length
}

function membersIn(body: string): Declaration['members'] {
  const members: Declaration['members'] = []
  let comment = ''
  let depth = 0
  let from = 0
  for (let at = 0; at < body.length; at++) {
    if (depth === 0 && body.startsWith('/**', at)) {
      const end = body.indexOf('*/', at) + 2
      comment = plain(body.slice(at, end))
      at = end - 1
      from = end
    } else if ('{(['.includes(body[at] as string)) depth++
    else if ('})]'.includes(body[at] as string)) depth--
    else if (body[at] === ';' && depth === 0) {
      members.push({ comment, text: body.slice(from, at).replace(/\s+/g, ' ').trim() })
      comment = ''
      from = at + 1
    }
  }
  return members
}

const plain = (comment: string): string =>
  comment
    .replace(/^\/\*\*|\*\/\s*$/g, '')
    .replace(/^\s*\* ?/gm, '')
    .trim()

/** Examples are indented by four, which Markdown reads as code; tags get lines of their own. */
const prose = (comment: string): string =>
  comment
    .replace(
      /^@(param|returns|throws)(?: (\w+)(?= ))?/gm,
      (_, tag, name = '') => `- *${tag}*${name && ` ${name}`}`,
    )
    .replace(/([^\n])\n(- \*)/g, '$1\n\n$2')

const shownFunction = ({ name, comment, text }: Declaration): string =>
  `### ${name}\n\n\`\`\`ts\n${text.replace(/^export declare /, '')}\n\`\`\`\n\n${prose(comment)}\n`

function shownType({ name, comment, members }: Declaration): string {
  const rows = members.map(
    ({ comment: said, text }) =>
      `| \`${text.replaceAll('|', '\\|')}\` | ${said.replace(/\s+/g, ' ').replaceAll('|', '\\|')} |`,
  )
  return `### ${name}\n\n${prose(comment)}\n\n| member | |\n|---|---|\n${rows.join('\n')}\n`
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const folder = mkdtempSync(join(tmpdir(), 'kubetab-api-'))
  try {
    await writePackage(folder)
    writeFileSync(fileURLToPath(new URL('../docs/api.md', import.meta.url)), apiDocument(folder))
  } finally {
    rmSync(folder, { recursive: true })
  }
}
