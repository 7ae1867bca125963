/** Somebody who clicks and types; every deed counts, looking does not. */
export class Person {
  #steps = 0

  constructor(page, url) {
    this.page = page
    this.url = url
  }

  get steps() {
    return this.#steps
  }

  /** Opens the dashboard as a new visitor would: that is where every task begins, and is not counted. */
  async arrive() {
    await this.page.goto(this.url)
    await this.see(this.page.getByRole('link', { name: 'Read', exact: true }).first())
  }

  async click(what) {
    this.#steps++
    await what.first().click()
  }

  async press(key) {
    this.#steps++
    await this.page.keyboard.press(key)
  }

  async type(where, text) {
    this.#steps++
    await where.first().fill(text)
  }

  /** Of an editor that is no field. */
  async write(where, text) {
    this.#steps++
    await where.first().click()
    await this.page.keyboard.press('Control+a')
    await this.page.keyboard.insertText(text)
  }

  async see(what) {
    await what.first().waitFor()
  }

  async seeNoMore(what) {
    await what.first().waitFor({ state: 'hidden' })
  }

  go(name) {
    return this.click(this.page.getByRole('link', { name, exact: true }))
  }
}
