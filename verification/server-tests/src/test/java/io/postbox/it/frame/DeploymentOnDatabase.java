package io.postbox.it.frame;

import io.postbox.it.tools.OnH2;
import io.postbox.it.tools.OnPostgres;
import io.postbox.it.tools.TestApplication;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.List;
import org.jboss.arquillian.container.spi.client.deployment.DeploymentDescription;
import org.jboss.arquillian.container.spi.client.deployment.TargetDescription;
import org.jboss.arquillian.container.spi.client.protocol.ProtocolDescription;
import org.jboss.arquillian.container.test.spi.client.deployment.DeploymentScenarioGenerator;
import org.jboss.arquillian.core.spi.LoadableExtension;
import org.jboss.arquillian.test.spi.TestClass;
import org.jboss.shrinkwrap.api.Archive;
import org.jboss.shrinkwrap.api.spec.EnterpriseArchive;

/**
 * Tests that are the same on each database stand in an abstract class, with a static method {@code
 * application(TestApplication)}. Below it is a class for each database, with {@link OnH2} or {@link
 * OnPostgres} and nothing else: this tells Arquillian to deploy what the method returns.
 */
public final class DeploymentOnDatabase implements LoadableExtension, DeploymentScenarioGenerator {
  private static final String METHOD = "application";

  @Override
  public void register(ExtensionBuilder builder) {
    builder.service(DeploymentScenarioGenerator.class, DeploymentOnDatabase.class);
  }

  @Override
  public List<DeploymentDescription> generate(TestClass test) {
    Class<?> type = test.getJavaClass();
    if (!type.isAnnotationPresent(OnH2.class) && !type.isAnnotationPresent(OnPostgres.class)) {
      return List.of(); // Arquillian's own generator looks for @Deployment
    }
    TestApplication application = TestApplication.of(type);
    DeploymentDescription deployment =
        new DeploymentDescription(
            application.managed() ? "_DEFAULT_" : TestApplication.DEPLOYMENT, archive(application));
    deployment.shouldBeManaged(application.managed());
    deployment.shouldBeTestable(true);
    deployment.setTarget(TargetDescription.DEFAULT);
    deployment.setProtocol(ProtocolDescription.DEFAULT);
    return List.of(deployment);
  }

  private static Archive<?> archive(TestApplication application) {
    for (Class<?> each = application.test(); each != null; each = each.getSuperclass()) {
      try {
        Method method = each.getDeclaredMethod(METHOD, TestApplication.class);
        method.setAccessible(true);
        return (EnterpriseArchive) method.invoke(null, application);
      } catch (NoSuchMethodException absent) {
        continue; // it is in a superclass
      } catch (IllegalAccessException | InvocationTargetException failed) {
        throw new IllegalStateException("No archive for " + application.test(), failed);
      }
    }
    throw new IllegalStateException(
        "%s and its superclasses have no static method %s(TestApplication)"
            .formatted(application.test(), METHOD));
  }
}
