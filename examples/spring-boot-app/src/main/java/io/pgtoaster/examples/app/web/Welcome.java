package io.pgtoaster.examples.app.web;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.web.server.context.WebServerInitializedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

/** Prints the address of the page. */
@Component
final class Welcome {
  private static final Logger LOGGER = LoggerFactory.getLogger(Welcome.class);

  Welcome() {}

  @EventListener
  void onReady(WebServerInitializedEvent event) {
    LOGGER.info("Open http://localhost:{}   (Ctrl-C to stop)", event.getWebServer().getPort());
  }
}
