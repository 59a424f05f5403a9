package io.postbox.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.deque.html.axecore.playwright.AxeBuilder;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import io.postbox.browser.Chromium.Window;

/**
 * A person's way through the console, who begins at the overview and only clicks from there on, and
 * types where the focus already is. Every page on the way is looked at by axe.
 */
final class Clicks {
  /** How many it takes at most to the cause, and from there to the redrive. */
  static final int MOST = 3;

  /** The overview is asked for every 5 s, and nodes report every 5 s. */
  private static final int UNTIL_SEEN_MILLIS = 60_000;

  private final Window window;
  private final Page page;
  private final String trouble;
  private int count;
  private String told = "";

  /**
   * @param trouble the subject, for the report
   */
  Clicks(Window window, String trouble) {
    this.window = window;
    this.trouble = trouble;
    page = window.page();
  }

  Page page() {
    return page;
  }

  /** Opens the overview, which is where everybody begins. */
  void toOverview() {
    window.to("#/");
    heading("Overview");
    count = 0;
  }

  /** Waits on the overview until a concern says this, and looks at it; one click. */
  void lookAt(String concern, String heading) {
    follow(awaitConcern(concern).locator("a"), heading);
  }

  /** Waits on the overview until a concern says this. */
  Locator awaitConcern(String concern) {
    Locator entry = page.locator(".concern", new Page.LocatorOptions().setHasText(concern));
    entry.waitFor(new Locator.WaitForOptions().setTimeout(UNTIL_SEEN_MILLIS));
    return entry;
  }

  /** Searches for a message by what a customer can name: types it, and presses Enter. */
  void search(String words) {
    page.getByRole(AriaRole.SEARCHBOX).fill(words);
    page.keyboard().press("Enter");
    heading("Find messages");
  }

  /** Goes to another page by the navigation; one click. */
  void goTo(String entry, String heading) {
    follow(page.locator("#pages a", new Page.LocatorOptions().setHasText(entry)).first(), heading);
  }

  /** Follows a link to the page with this heading; one click. */
  void follow(Locator link, String heading) {
    click(link);
    heading(heading);
  }

  /** Presses the button with exactly this name; one click. */
  void press(String button) {
    click(
        page.getByRole(
            AriaRole.BUTTON, new Page.GetByRoleOptions().setName(button).setExact(true)));
  }

  /** Presses a button that opens a plan, and waits for its numbers; one click. */
  Locator plan(String button) {
    press(button);
    Locator numbers = page.locator("dialog .numbers");
    assertThat(numbers).isVisible();
    assertAccessible("the plan of " + button);
    return page.locator("dialog");
  }

  /** Types into the field that has the focus, which costs no click. */
  void type(String words) {
    page.keyboard().type(words);
  }

  private void click(Locator what) {
    what.click();
    count++;
  }

  /** Waits for the page with this heading, and has axe look at it. */
  void heading(String heading) {
    assertThat(page.locator("main h1")).containsText(heading);
    window.settled();
    assertAccessible(heading);
  }

  private void assertAccessible(String name) {
    assertThat(new AxeBuilder(page).analyze().getViolations())
        .as("violations that axe sees on " + name)
        .extracting(rule -> rule.getId() + ": " + rule.getNodes().get(0).getHtml())
        .isEmpty();
  }

  /** The cause is on the page: the clicks so far were enough, and it counts anew. */
  void causeIsSeen() {
    told = trouble + ": " + limited("the cause");
  }

  /** The message is edited: the clicks since the cause were enough. */
  void editIsDone() {
    told += ", " + limited("the edit");
  }

  /** The action that frees the messages has begun: the clicks since the cause were enough. */
  void redriveHasBegun() {
    told += ", " + limited("the redrive");
  }

  /** Nothing has to be clicked: it goes on by itself. */
  void goesOnByItself() {
    told += ", then it goes on by itself";
  }

  private String limited(String where) {
    int needed = count;
    assertThat(needed).as("clicks to " + where + " of: " + trouble).isLessThanOrEqualTo(MOST);
    count = 0;
    return "%s %s to %s".formatted(needed, needed == 1 ? "click" : "clicks", where);
  }

  /** Ends the walk: prints its line, and fails if a page had an error or broke the policy. */
  void end() {
    window.assertClean();
    System.out.println("walk: " + told);
  }
}
