package io.pgtoaster.examples.app.web;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Accepts requests from this application's page only. Another site in the same browser can also
 * reach this machine, but its requests have a foreign host name or origin.
 */
@Component
@Order(Ordered.HIGHEST_PRECEDENCE)
final class LocalOnly extends OncePerRequestFilter {
  private static final Set<String> HOSTS = Set.of("localhost", "127.0.0.1", "[::1]");
  private static final Set<String> OWN_SITES = Set.of("same-origin", "none");

  LocalOnly() {}

  @Override
  protected void doFilterInternal(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws ServletException, IOException {
    if (!HOSTS.contains(request.getServerName()) || isForeign(request)) {
      response.sendError(HttpServletResponse.SC_FORBIDDEN);
      return;
    }
    response.setHeader("X-Content-Type-Options", "nosniff");
    response.setHeader("Referrer-Policy", "no-referrer");
    response.setHeader(
        "Content-Security-Policy",
        "default-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'");
    chain.doFilter(request, response);
  }

  private static boolean isForeign(HttpServletRequest request) {
    @Nullable String site = request.getHeader("Sec-Fetch-Site");
    @Nullable String origin = request.getHeader("Origin");
    String own = request.getScheme() + "://" + request.getHeader("Host");
    return (site != null && !OWN_SITES.contains(site)) || (origin != null && !origin.equals(own));
  }
}
