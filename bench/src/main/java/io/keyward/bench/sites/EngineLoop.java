package io.keyward.bench.sites;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.keyward.codec.object.Labels;
import io.keyward.core.view.SiteView;
import io.keyward.engine.Engine;
import io.keyward.engine.Rhythm;
import io.keyward.engine.SiteId;
import io.keyward.engine.TurnObserver;
import io.keyward.kube.client.Api;
import io.keyward.kube.client.WatchedObjects;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/// Keyward's engine, with one informer for the objects of all sites.
final class EngineLoop implements SiteLoop {
  private final Api api;
  private final Engine engine;
  private final SharedIndexInformer<GenericKubernetesResource> informer;
  private final WatchedObjects cache;

  EngineLoop(Api api, Consumer<String> turned) {
    this.api = api;
    this.engine = new Engine(observer(turned), Rhythm.DEFAULT);
    this.informer = informer();
    this.cache =
        new WatchedObjects(
            List.of(
                new WatchedObjects.Watched(
                    ThousandSites.COLLECTION, "", Labels.ANY, informer.getStore()::list)));
  }

  @Override
  public void add(String name, Duration work) {
    engine.add(
        new FakeHostedSite(
            name,
            ThousandSites.COLLECTION + "/" + name,
            api,
            () -> informer.hasSynced() ? Optional.of(cache) : Optional.empty(),
            work));
  }

  @Override
  public void start() {
    var _ = informer.start();
  }

  @Override
  public void close() {
    informer.close();
    engine.close();
  }

  private static TurnObserver observer(Consumer<String> turned) {
    return new TurnObserver() {
      @Override
      public void turned(SiteId site, SiteView seen, Set<String> failed) {
        turned.accept(site.cluster());
      }

      @Override
      public void noTurn(SiteId site) {
        System.err.println("no turn of " + site);
      }

      @Override
      public void removed(SiteId site) {}
    };
  }

  private SharedIndexInformer<GenericKubernetesResource> informer() {
    var context =
        new ResourceDefinitionContext.Builder()
            .withGroup("")
            .withVersion("v1")
            .withKind("ConfigMap")
            .withPlural("configmaps")
            .withNamespaced(true)
            .build();
    var created =
        api.client()
            .genericKubernetesResources(context)
            .inNamespace("default")
            .withLabel(ThousandSites.LABEL)
            .runnableInformer(0);
    created.addEventHandler(
        new ResourceEventHandler<>() {
          private void wake(GenericKubernetesResource one) {
            engine.wake(new SiteId(one.getMetadata().getName(), "kube-apiserver"));
          }

          @Override
          public void onAdd(GenericKubernetesResource added) {
            wake(added);
          }

          @Override
          public void onUpdate(GenericKubernetesResource before, GenericKubernetesResource after) {
            wake(after);
          }

          @Override
          public void onDelete(GenericKubernetesResource last, boolean unknown) {
            wake(last);
          }
        });
    return created;
  }
}
