/**
 * Makes the YAML of a page runnable:
 *
 *     <script src="https://example.org/kubetab/examples.js" defer></script>
 *     <pre data-kubetab>apiVersion: v1 …</pre>
 *
 * Marked are `<pre data-kubetab>`, and code fences with the word kubetab (```yaml kubetab). With
 * `data-all` on the script, every code block in YAML is. All examples of a page share one cluster in
 * a hidden frame, which starts with the first run and ends with the page. docs/embedding.md
 */
;(() => {
  const script = document.currentScript
  const KUBETAB = new URL('.', script.src)
  const MARKED = 'pre[data-kubetab], pre:has(> code.kubetab), pre:has(> code[data-kubetab])'
  const YAML = 'pre:has(> code:is(.language-yaml, .language-yml, .lang-yaml, .yaml))'
  const START_SECONDS = 60
  const TEXTS = {
    run: 'Run',
    reset: 'Reset cluster',
    original: 'Restore example',
    label: 'Example, editable',
    responses: 'Responses of the server',
    starting: 'Starting a cluster in this page…',
    running: 'Running…',
    wasReset: 'The cluster is empty again.',
    late: `The cluster did not start within ${START_SECONDS} seconds.`,
    noOrigin: 'Examples run on pages that come from a web server.',
    nothing: 'There is no object in this example.',
  }

  /** Sends commands to the frame. Its promise is cached: the frame starts once. */
  let cluster
  const started = () => {
    cluster ??= startFrame().catch((error) => {
      cluster = undefined
      throw error
    })
    return cluster
  }

  function startFrame() {
    // The frame sends its messages to this origin only.
    if (!/^https?:$/.test(location.protocol)) return Promise.reject(new Error(TEXTS.noOrigin))
    const frame = document.createElement('iframe')
    const address = new URL(KUBETAB)
    address.search = new URLSearchParams({
      embed: '1',
      panels: 'results',
      origin: location.origin,
    })
    frame.src = address.href
    frame.title = 'kubetab'
    frame.tabIndex = -1
    frame.setAttribute('aria-hidden', 'true')
    frame.className = 'kubetab-frame'
    const waiting = new Map()
    let last = 0
    const send = (command, rest = {}) =>
      new Promise((resolve, reject) => {
        const id = String(++last)
        waiting.set(id, { resolve, reject })
        frame.contentWindow.postMessage({ kubetab: 1, id, command, ...rest }, KUBETAB.origin)
      })
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        frame.remove()
        reject(new Error(TEXTS.late))
      }, START_SECONDS * 1000)
      addEventListener('message', ({ source, origin, data }) => {
        if (source !== frame.contentWindow || origin !== KUBETAB.origin || data?.kubetab !== 1)
          return
        if (data.event === 'ready') {
          clearTimeout(timer)
          resolve(send)
        }
        const command = waiting.get(data.id)
        waiting.delete(data.id)
        if (data.ok) command?.resolve(data.result)
        else command?.reject(new Error(data.error))
      })
      document.body.append(frame)
    })
  }

  function makeRunnable(block) {
    if (block.dataset.kubetab === 'runnable') return
    block.dataset.kubetab = 'runnable'
    const code = block.querySelector('code') ?? block
    const original = code.textContent
    code.contentEditable = 'plaintext-only'
    code.spellcheck = false
    code.setAttribute('role', 'textbox')
    code.setAttribute('aria-multiline', 'true')
    code.setAttribute('aria-label', TEXTS.label)

    const responses = element('ol', 'kubetab-responses')
    responses.setAttribute('role', 'status')
    responses.setAttribute('aria-label', TEXTS.responses)
    const show = (...lines) => responses.replaceChildren(...lines)
    const busy = (work) => async () => {
      if (bar.hasAttribute('aria-busy')) return
      bar.setAttribute('aria-busy', 'true')
      try {
        await work()
      } catch (error) {
        show(line(error.message, false))
      } finally {
        bar.removeAttribute('aria-busy')
      }
    }
    const run = busy(async () => {
      show(line(cluster === undefined ? TEXTS.starting : TEXTS.running))
      const send = await started()
      show(line(TEXTS.running))
      const { results } = await send('apply', { manifest: code.textContent })
      if (results.length === 0) return show(line(TEXTS.nothing, false))
      show(...results.map(responseOf))
    })
    const reset = busy(async () => {
      if (cluster !== undefined) await (await started())('reset')
      show(line(TEXTS.wasReset))
    })
    const restore = button(TEXTS.original, () => {
      code.textContent = original
      restore.hidden = true
    })
    restore.hidden = true
    code.addEventListener('input', () => {
      restore.hidden = code.textContent === original
    })
    const bar = element('div', 'kubetab-bar')
    bar.append(button(TEXTS.run, run, 'kubetab-run'), restore, button(TEXTS.reset, reset))
    code.addEventListener('keydown', (event) => {
      if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
      event.preventDefault()
      void run()
    })
    block.after(bar, responses)
  }

  const responseOf = ({ what, outcome, ok, message }) =>
    line(`${what} ${outcome}${message === undefined ? '' : `: ${message}`}`, ok)

  function line(text, ok) {
    const item = element('li', ok === undefined ? '' : ok ? 'kubetab-ok' : 'kubetab-error')
    item.textContent = text
    return item
  }

  function button(title, run, className = '') {
    const made = element('button', className)
    made.type = 'button'
    made.textContent = title
    made.addEventListener('click', () => void run())
    return made
  }

  function element(name, className) {
    const made = document.createElement(name)
    made.className = className
    return made
  }

  // A page can overrule all of it: `:where` has no specificity.
  const STYLE = `
    .kubetab-frame { position: fixed; left: -2000px; top: 0; width: 800px; height: 600px; border: 0; visibility: hidden }
    :where(.kubetab-bar) { display: flex; flex-wrap: wrap; gap: 8px; margin: 8px 0 }
    :where(.kubetab-bar button) { font: inherit; font-size: 0.875em; min-height: 34px; padding: 4px 12px; border: 1px solid color-mix(in srgb, currentcolor 30%, transparent); border-radius: 6px; background: transparent; color: inherit; cursor: pointer }
    .kubetab-bar [hidden] { display: none }
    :where(.kubetab-bar .kubetab-run) { border-color: transparent; background: light-dark(#2f54d0, #93aaff); color: light-dark(#fff, #0c1020); font-weight: 600 }
    :where(.kubetab-bar[aria-busy]) { opacity: 0.6 }
    :where(.kubetab-responses) { list-style: none; margin: 0 0 1em; padding: 0; font-family: ui-monospace, monospace; font-size: 0.875em; overflow-wrap: anywhere; white-space: pre-wrap }
    :where(.kubetab-ok)::before { content: "✓ "; color: light-dark(#0b6b4d, #5fcfa7) }
    :where(.kubetab-error)::before { content: "✕ "; color: light-dark(#b3261e, #ff938b) }
  `

  function start() {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(STYLE)
    document.adoptedStyleSheets.push(sheet)
    const blocks = script.hasAttribute('data-all') ? `${MARKED}, ${YAML}` : MARKED
    for (const block of document.querySelectorAll(blocks)) makeRunnable(block)
  }

  if (document.readyState === 'loading') addEventListener('DOMContentLoaded', start)
  else start()
})()
