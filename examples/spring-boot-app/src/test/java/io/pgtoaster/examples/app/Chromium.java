package io.pgtoaster.examples.app;

import static org.junit.jupiter.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.abort;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;

/** The distribution's Chromium, headless. Downloads nothing. */
final class Chromium {
  private static final String HOW =
      "the browser test needs Chromium and its driver: install the packages chromium and"
          + " chromium-driver, or name the programs by -Dchromium=... and -Dchromedriver=...";
  private static final List<String> FLAGS =
      List.of(
          "--headless=new",
          "--no-sandbox",
          "--disable-gpu",
          "--disable-quic",
          "--disable-dev-shm-usage",
          "--no-first-run",
          "--disable-background-networking",
          "--disable-component-update",
          "--disable-sync",
          "--hide-scrollbars");

  private Chromium() {}

  /** Starts the browser. If it is not installed, the test is skipped; in CI, it fails. */
  static ChromeDriver start(Path profile) {
    Path browser = Path.of(System.getProperty("chromium", "/usr/bin/chromium"));
    Path driver = Path.of(System.getProperty("chromedriver", "/usr/bin/chromedriver"));
    if (!Files.isExecutable(browser) || !Files.isExecutable(driver)) {
      if (System.getenv("CI") != null) {
        fail(HOW);
      }
      abort(HOW);
    }
    ChromeOptions options = new ChromeOptions();
    options.setBinary(browser.toFile());
    options.setScriptTimeout(Duration.ofMinutes(3));
    options.addArguments(FLAGS);
    options.addArguments("--user-data-dir=" + profile.toAbsolutePath());
    options.setCapability("goog:loggingPrefs", Map.of("browser", "ALL"));
    ChromeDriverService service =
        new ChromeDriverService.Builder()
            .usingDriverExecutable(driver.toFile())
            .usingAnyFreePort()
            .build();
    return new ChromeDriver(service, options);
  }

  /** Sets the size and the colour scheme of the page. */
  static void look(ChromeDriver browser, int width, int height, String scheme) {
    browser.executeCdpCommand(
        "Emulation.setDeviceMetricsOverride",
        Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", width < 600));
    browser.executeCdpCommand(
        "Emulation.setEmulatedMedia",
        Map.of(
            "features",
            List.of(
                Map.of("name", "prefers-color-scheme", "value", scheme),
                Map.of("name", "prefers-reduced-motion", "value", "reduce"))));
  }

  /** Takes a screenshot of the window. */
  static void shoot(ChromeDriver browser, Path file) throws IOException {
    Map<String, Object> shot =
        browser.executeCdpCommand("Page.captureScreenshot", Map.of("format", "png"));
    Files.createDirectories(file.toAbsolutePath().getParent());
    Files.write(file, Base64.getDecoder().decode((String) shot.get("data")));
  }
}
