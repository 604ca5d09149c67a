package io.pgtoaster.examples.tenants;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.core.MethodParameter;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Component;
import org.springframework.web.bind.support.WebDataBinderFactory;
import org.springframework.web.context.request.NativeWebRequest;
import org.springframework.web.method.support.HandlerMethodArgumentResolver;
import org.springframework.web.method.support.ModelAndViewContainer;
import org.springframework.web.server.ResponseStatusException;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/**
 * Passes the request's tenant, from the header {@code X-Tenant}, to handlers. Your application
 * should take it from verified data about the user, such as a claim of a token.
 */
@Component
class TenantArgument implements HandlerMethodArgumentResolver, WebMvcConfigurer {
  static final String HEADER = "X-Tenant";

  private final Tenants tenants;

  TenantArgument(Tenants tenants) {
    this.tenants = tenants;
  }

  @Override
  public void addArgumentResolvers(List<HandlerMethodArgumentResolver> resolvers) {
    resolvers.add(this);
  }

  @Override
  public boolean supportsParameter(MethodParameter parameter) {
    return parameter.getParameterType() == Tenant.class;
  }

  @Override
  public Tenant resolveArgument(
      MethodParameter parameter,
      @Nullable ModelAndViewContainer container,
      NativeWebRequest request,
      @Nullable WebDataBinderFactory factory) {
    String name = request.getHeader(HEADER);
    if (name == null) {
      throw new ResponseStatusException(
          HttpStatus.BAD_REQUEST, "The header " + HEADER + " is missing: it names the tenant.");
    }
    return tenants
        .find(name)
        .orElseThrow(() -> new ResponseStatusException(HttpStatus.NOT_FOUND, "No such tenant."));
  }
}
