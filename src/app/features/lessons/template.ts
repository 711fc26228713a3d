/** The initial text of a new lesson: a complete, short example. */
export { default as TEMPLATE } from './template.yaml?raw'
