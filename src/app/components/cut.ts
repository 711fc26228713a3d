/** Shows truncated text (class `cut`) in full on hover. Screen readers read all of it anyway. */

/** Marks titles set here, which are updated and removed again. */
const GIVEN = 'fullText'

/** Delegated from the document, so it includes later elements. */
export function showTruncatedTitles(): void {
  document.addEventListener('pointerover', ({ target }) => {
    const element = target instanceof Element ? target.closest<HTMLElement>('.cut') : null
    if (element === null || (element.title !== '' && element.dataset[GIVEN] === undefined)) return
    if (element.scrollWidth > element.clientWidth) {
      element.title = element.textContent
      element.dataset[GIVEN] = ''
    } else if (element.dataset[GIVEN] !== undefined) {
      element.removeAttribute('title')
      delete element.dataset[GIVEN]
    }
  })
}
