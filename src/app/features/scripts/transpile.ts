/** Uses the language service that the editor loads anyway. */
import type { Uri } from 'monaco-editor/editor/editor.api'
import { loadMonaco, type MonacoApi } from '../editor/monaco'
import { sourceLines } from './source-lines'

const ATTEMPTS = 100
const PAUSE_MILLISECONDS = 50

export interface Transpiled {
  code: string
  /** For each line of the code, its 1-based source line. */
  lines: number[]
}

/** @throws Error with the line of the first mistake */
export async function transpile(source: string): Promise<Transpiled> {
  const monaco = await loadMonaco()
  const uri = monaco.Uri.parse(`file:///script-${Date.now()}.ts`)
  // Scripts run inside an async function, so top-level await is allowed.
  const model = monaco.editor.createModel(`export {};\n${source}`, 'typescript', uri)
  try {
    const worker = await languageService(monaco, uri)
    const problems = await worker.getSyntacticDiagnostics(uri.toString())
    const [first] = problems
    if (first) {
      const line = model.getPositionAt(first.start ?? 0).lineNumber - 1
      throw new Error(
        `line ${line}: ${typeof first.messageText === 'string' ? first.messageText : first.messageText.messageText}`,
      )
    }
    const { outputFiles } = await worker.getEmitOutput(uri.toString())
    const fileOf = (ending: string) => outputFiles.find(({ name }) => name.endsWith(ending))?.text
    const { mappings = '' } = JSON.parse(fileOf('.map') ?? '{}') as { mappings?: string }
    const code = (fileOf('.js') ?? '').replace(/^export \{\};?$|^\/\/# sourceMappingURL=.*$/gm, '')
    return { code, lines: sourceLines(mappings) }
  } finally {
    model.dispose()
  }
}

/**
 * The editor loads the language service after its first model, without an event; until then it
 * throws.
 */
async function languageService(monaco: MonacoApi, uri: Uri) {
  for (let attempt = 1; ; attempt++) {
    try {
      const workerOf = await monaco.typescript.getTypeScriptWorker()
      return await workerOf(uri)
    } catch (error) {
      if (attempt === ATTEMPTS) throw error
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MILLISECONDS))
    }
  }
}
