/**
 * `npm run package`: writes `dist/package/` for npm: the engine for tests (index.js), the `kubetab`
 * command, and types. It has no dependencies.
 */
import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { inAscii } from './ascii'
import { NODE_FLAGS } from './bundle-host'

const root = fileURLToPath(new URL('..', import.meta.url))

/** @param into emptied first */
export async function writePackage(into: string): Promise<void> {
  rmSync(into, { recursive: true, force: true })
  mkdirSync(join(into, 'bin'), { recursive: true })
  await writeCode(into)
  writeTypes(into)
  writeFileSync(
    join(into, 'bin/kubetab.js'),
    `#!/usr/bin/env -S node ${NODE_FLAGS.join(' ')}\nimport '../command.js'\n`,
  )
  chmodSync(join(into, 'bin/kubetab.js'), 0o755)
  writeFileSync(join(into, 'package.json'), `${JSON.stringify(manifest(), null, 2)}\n`)
  for (const file of ['LICENSE', 'CHANGELOG.md']) copyFileSync(join(root, file), join(into, file))
  copyFileSync(join(root, 'docs/package.md'), join(into, 'README.md'))
}

/** Both entries with shared chunks. Descriptions are a separate file, loaded on demand. */
async function writeCode(into: string): Promise<void> {
  const { outputFiles } = await build({
    entryPoints: {
      index: join(root, 'src/package/index.ts'),
      command: join(root, 'src/command-line/main.ts'),
    },
    outdir: into,
    write: false,
    bundle: true,
    splitting: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    // Names are not minified: they appear in users' stack traces.
    minifyWhitespace: true,
    minifySyntax: true,
    logLevel: 'warning',
    banner: {
      js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
    },
  })
  for (const { path, text } of outputFiles) writeFileSync(path, inAscii(text))
}

/**
 * The declarations import no internal type.
 * @throws Error with the compiler's errors
 */
function writeTypes(into: string): void {
  const types = join(into, '.types')
  const args = ['-p', join(root, 'tsconfig.package.json'), '--outDir', types]
  const { status, stdout } = spawnSync(join(root, 'node_modules/.bin/tsc'), args, {
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`the declarations cannot be made:\n${stdout}`)
  const declarations = join(types, 'package')
  for (const file of PUBLIC) {
    const text = readFileSync(join(declarations, `${file}.d.ts`), 'utf8')
    const inside = /from ["']\.\.\/[^"']*["']/.exec(text)
    if (inside) throw new Error(`${file}.ts shows what is inside: ${inside[0]}`)
    // Node.js resolves only imports with an extension.
    writeFileSync(
      join(into, `${file}.d.ts`),
      text.replace(/(from ["']\.\/[^"']+)(["'])/g, '$1.js$2'),
    )
  }
  rmSync(types, { recursive: true })
}

/** Files with public declarations. */
const PUBLIC = ['index', 'types', 'api-failure', 'create-api-server', 'test-server']

function manifest(): object {
  const { name, version, license, engines } = JSON.parse(
    readFileSync(join(root, 'package.json'), 'utf8'),
  ) as Record<string, unknown>
  return {
    name,
    version,
    description:
      'The Kubernetes API server (releases 1.31 to 1.37) in memory: for tests in Node, and as a command.',
    keywords: ['kubernetes', 'api server', 'testing', 'simulator'],
    license,
    type: 'module',
    engines,
    exports: {
      '.': { types: './index.d.ts', default: './index.js' },
      './package.json': './package.json',
    },
    types: './index.d.ts',
    bin: { kubetab: './bin/kubetab.js' },
    sideEffects: ['./command.js'],
  }
}

function sizeOf(folder: string): number {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).reduce((total, file) => {
    const stats = statSync(join(folder, file))
    return total + (stats.isFile() ? stats.size : 0)
  }, 0)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const into = join(root, 'dist/package')
  await writePackage(into)
  console.log(
    `dist/package: ${(sizeOf(into) / 1024 / 1024).toFixed(1)} MiB; pack it with: npm pack ./dist/package`,
  )
}
