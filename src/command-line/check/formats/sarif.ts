/** The Static Analysis Results Interchange Format 2.1.0, which code hosts show next to the lines. */
import { version } from '../../../../package.json'
import { type Checked, type Finding, RULES } from '../findings'

const SCHEMA = 'https://json.schemastore.org/sarif-2.1.0.json'

export function sarifFormat({ findings, release }: Checked): string {
  const log = {
    $schema: SCHEMA,
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'kubetab',
            semanticVersion: version,
            rules: Object.entries(RULES).map(([id, text]) => ({
              id,
              shortDescription: { text },
            })),
          },
        },
        properties: { kubernetesRelease: release },
        results: findings.map(resultOf),
      },
    ],
  }
  return `${JSON.stringify(log, null, 2)}\n`
}

function resultOf({ level, rule, object, message, file, line }: Finding): object {
  const location = file !== undefined && {
    physicalLocation: {
      artifactLocation: { uri: uriOf(file) },
      region: { startLine: line ?? 1 },
    },
  }
  return {
    ruleId: rule,
    level,
    message: { text: object === '' ? message : `${object}: ${message}` },
    ...(location && { locations: [location] }),
  }
}

/** A URI reference (RFC 3986) relative to the working directory. */
function uriOf(file: string): string {
  return file
    .split(/[\\/]/)
    .map((part, index) => (index === 0 && part === '.' ? '' : encodeURIComponent(part)))
    .filter((part, index) => part !== '' || index > 0)
    .join('/')
}
