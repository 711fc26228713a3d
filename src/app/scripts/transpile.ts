/** TypeScript to JavaScript by the editor's own language service, which is loaded with the editor anyway. */
import { loadMonaco } from '../editor/monaco'

export async function transpile(source: string): Promise<string> {
  const monaco = await loadMonaco()
  const uri = monaco.Uri.parse(`file:///script-${Date.now()}.ts`)
  // Scripts may use await at their top level: they run inside an async function.
  const model = monaco.editor.createModel(`export {};\n${source}`, 'typescript', uri)
  try {
    const worker = await (await monaco.typescript.getTypeScriptWorker())(uri)
    const problems = await worker.getSyntacticDiagnostics(uri.toString())
    const [first] = problems
    if (first) {
      const line = model.getPositionAt(first.start ?? 0).lineNumber - 1
      throw new Error(`line ${line}: ${typeof first.messageText === 'string' ? first.messageText : first.messageText.messageText}`)
    }
    const output = await worker.getEmitOutput(uri.toString())
    return (output.outputFiles[0]?.text ?? '').replace(/^export \{\};?$/gm, '')
  } finally {
    model.dispose()
  }
}
