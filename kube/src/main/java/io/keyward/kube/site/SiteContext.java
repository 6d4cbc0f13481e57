package io.keyward.kube.site;

import io.keyward.core.model.Settings;
import io.keyward.core.sidecar.PluginImages;
import io.keyward.kube.client.Api;
import io.keyward.kube.component.Component;
import io.keyward.kube.component.FeatureGates;
import io.keyward.kube.migrate.Migrator;
import java.time.InstantSource;

/// Everything that a site on a real cluster works with.
record SiteContext(
    Api api,
    Component component,
    Settings settings,
    InstantSource clock,
    Migrator migrator,
    FeatureGates gates,
    PluginImages images,
    KubeSite.Access access) {}
