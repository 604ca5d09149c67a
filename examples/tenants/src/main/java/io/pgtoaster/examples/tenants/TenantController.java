package io.pgtoaster.examples.tenants;

import io.pgtoaster.examples.tenants.Tenants.Home;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;

/** Adds tenants. Your application should check here who may add a tenant. */
@RestController
final class TenantController {
  private final Tenants tenants;

  TenantController(Tenants tenants) {
    this.tenants = tenants;
  }

  @PutMapping("/tenants/{name:" + Tenants.NAME + "}")
  @ResponseStatus(HttpStatus.NO_CONTENT)
  void add(
      @PathVariable("name") String name,
      @RequestParam(name = "in", defaultValue = "SCHEMA") Home at) {
    if (!tenants.add(name, at)) {
      throw new ResponseStatusException(
          HttpStatus.CONFLICT, "The tenant already exists in another location.");
    }
  }
}
