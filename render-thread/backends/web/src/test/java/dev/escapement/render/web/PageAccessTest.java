package dev.escapement.render.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.escapement.state.Logged;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.logging.LogRecord;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Requests without the secret, or from another origin, are refused, also behind proxies and tunnels. */
@Timeout(120)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PageAccessTest {

    private static final String TOKEN = "0123456789abcdefghi-_Z";

    private static final PageAccess NAMED = new PageAccess(
            Set.of(PageAccess.checkHost("Physics.example.org"), PageAccess.checkHost("[::1]:9000")),
            "",
            PageAccess.newSecret(),
            Set.of());

    private final LivePageBuilder builder = LivePage.of(new TestWorld().driver.newReader());
    private final ServedPage served = new ServedPage();
    private final String authority = served.uri.getAuthority();
    private final String path = served.path();

    @AfterAll
    void close() {
        served.close();
    }

    private static void shouldBeEmpty(String response, String status) {
        assertThat(ServedPage.status(response)).isEqualTo(status);
        String[] parts = response.split("\r\n\r\n", 2);
        assertThat(parts[1]).isEmpty();
        assertThat(parts[0])
                .doesNotContainIgnoringCase("jetty")
                .doesNotContain("Server:")
                .doesNotContain("Exception");
    }

    @Test
    void shouldReportNothingWithoutTheToken() throws IOException {
        assertThat(path).as("128 bits").matches("/[0-9a-f]{32}/");
        assertThat(PageAccess.newSecret()).isNotEqualTo(PageAccess.newSecret());
        char last = path.charAt(32);
        List<String> wrong =
                new ArrayList<>(List.of("/", "/index.html", "/live", "/page.css", "/nothing", "/?" + path));
        wrong.add(path.substring(0, 32) + (last == '0' ? '1' : '0') + "/");
        wrong.add(path.substring(0, 32) + "/");
        wrong.add(path.substring(0, 33) + "0/");
        wrong.add(path.toUpperCase(Locale.ROOT) + "A/");
        for (String target : wrong) {
            shouldBeEmpty(served.get(target, authority), "403");
        }
        shouldBeEmpty(served.exchange("POST / HTTP/1.1\r\nHost: " + authority + "\r\n\r\n"), "403");
        shouldBeEmpty(
                served.exchange("GET /live HTTP/1.1\r\nHost: " + authority + "\r\nOrigin: http://" + authority + "\r\n"
                        + ServedPage.KEY + "\r\n"),
                "403");
    }

    @Test
    void shouldServeOnlyItsOwnHost() throws IOException {
        int port = served.uri.getPort();
        for (String host : List.of(
                "evil.example", "evil.example:" + port, "127.0.0.1", "127.0.0.1:1", "localhost", "[::1]:" + port)) {
            shouldBeEmpty(served.get(path + "three.core.min.js", host), "403");
        }
        for (String host : List.of("127.0.0.1:" + port, "localhost:" + port)) {
            assertThat(ServedPage.status(served.get(path + "three.core.min.js", host)))
                    .isEqualTo("200");
        }
    }

    @Test
    void shouldOpenASocketOnlyForItsOwnOrigin() throws IOException {
        String upgrade = "GET " + path + "live HTTP/1.1\r\nHost: " + authority + "\r\n" + ServedPage.KEY;
        String host = "http://" + authority;
        for (String origin : List.of(
                "",
                "Origin: http://evil.example\r\n",
                "Origin: null\r\n",
                "Origin: https://" + authority + "\r\n",
                "Origin: " + host + "\r\nOrigin: " + host + "\r\n",
                "Origin: " + host + ".evil.example\r\n")) {
            shouldBeEmpty(served.exchange(upgrade + origin + "\r\n"), "403");
        }
        shouldBeEmpty(served.get(path + "live", authority), "403");
        shouldBeEmpty(
                served.exchange(
                        "GET " + path + "live HTTP/1.1\r\nHost: " + authority + "\r\nOrigin: " + host + "\r\n\r\n"),
                "426");
    }

    @Test
    void shouldOnlyGet() throws IOException {
        for (String method : List.of("POST", "HEAD", "BREW")) {
            String response = served.exchange(method + " " + path + " HTTP/1.1\r\nHost: " + authority + "\r\n\r\n");
            shouldBeEmpty(response, "405");
            assertThat(response).contains("Allow: GET");
        }
    }

    @Test
    void shouldServeNothingButItsFiles() throws IOException {
        for (String name : List.of(
                "nothing.js", "../LivePage.class", "LivePage.class", "..", "/", "page.css/", "live/", "\u0001.js")) {
            assertThat(ServedPage.status(served.get(path + name))).as(name).isIn("404", "400");
        }
        for (String encoded : List.of("%2e%2e/LivePage.class", "%2fetc/passwd", "a%00.js", "..;/x")) {
            shouldBeEmpty(served.get(path + encoded), "400");
        }
        shouldBeEmpty(served.get(path.substring(0, 33)), "307");
    }

    @Test
    void shouldSayHowBrowsersMustTreatIt() throws IOException {
        String response = served.get(path + "OrbitControls.js");
        assertThat(response)
                .contains("Content-Type: text/javascript;charset=utf-8")
                .contains("X-Content-Type-Options: nosniff")
                .contains("Referrer-Policy: no-referrer")
                .contains("Cache-Control: no-store")
                .contains("default-src 'none'; script-src 'self'; style-src 'self';")
                .contains("connect-src 'self' ws://" + authority + " wss://" + authority + ";")
                .contains("frame-ancestors 'none'")
                .doesNotContain("Access-Control-")
                .doesNotContain("Server:");
        String nonce = served.get(path).replaceFirst("(?s).*script-src 'self' 'nonce-([0-9a-f]{32})'.*", "$1");
        assertThat(served.get(path)).as("a nonce of its own").doesNotContain(nonce, "@NONCE@");
    }

    @Test
    void shouldRefuseHeadersThatAreTooLong() throws IOException {
        String start = "GET " + path + " HTTP/1.1\r\nHost: " + authority + "\r\n";
        shouldBeEmpty(served.exchange(start + "X: " + "x".repeat(PageServer.MAX_HEADER_BYTES) + "\r\n\r\n"), "431");
        shouldBeEmpty(served.get(path + "x".repeat(PageServer.MAX_HEADER_BYTES)), "414");
        shouldBeEmpty(served.exchange("GET \r\n\r\n"), "400");
        shouldBeEmpty(served.exchange("GET " + path + " HTTP/1.1\r\n\r\n"), "400");
    }

    /** nginx removes the prefix or not, and sends the page's host or the browser's, with its port or without. */
    @Test
    void shouldServeThePageBehindAPrefix() throws IOException {
        try (ServedPage proxied =
                new ServedPage(page -> page.token(TOKEN).hosts("localhost").prefix("/games/physics"))) {
            assertThat(proxied.path()).isEqualTo("/games/physics/" + TOKEN + "/");
            for (String path : List.of(proxied.path(), "/" + TOKEN + "/")) {
                for (String host : List.of(proxied.uri.getAuthority(), "localhost:9", "localhost")) {
                    assertThat(ServedPage.status(proxied.get(path + "page.css", host)))
                            .isEqualTo("200");
                }
                assertThat(proxied.get(path.replaceFirst("/$", "?x=1"), "localhost"))
                        .contains("HTTP/1.1 307", "Location: " + TOKEN + "/?x=1");
                assertThat(ServedPage.status(proxied.get(path.replace('Z', 'z'), "localhost")))
                        .isEqualTo("403");
            }
        }
    }

    @Test
    void shouldRefuseUnnamedHostsAndLogTheFirst() throws IOException {
        try (Logged logged = new Logged("render");
                ServedPage proxied = new ServedPage(page -> page.hosts("localhost:1", "physics.example.org"))) {
            proxied.get("/" + TOKEN + "/", "localhost:9");
            assertThat(logged.records).as("without the token").isEmpty();
            for (int i = 0; i < 2; i++) {
                assertThat(ServedPage.status(proxied.get(proxied.path(), "localhost:9")))
                        .isEqualTo("403");
            }
            assertThat(logged.records)
                    .singleElement()
                    .extracting(LogRecord::getMessage)
                    .asString()
                    .contains("hosts(\"localhost:9\")");
        }
    }

    @Test
    void shouldLetNamedSitesHaveThePageInAFrame() throws IOException {
        try (ServedPage proxied = new ServedPage(page -> page.frameAncestors("https://tools.example.org"))) {
            assertThat(proxied.get(proxied.path())).contains("frame-ancestors https://tools.example.org\r\n");
        }
        for (String bad : List.of("tools.example.org", "https://a/b", "https://*.org", "https://a; img-src *")) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> builder.frameAncestors(bad))
                    .withMessageContaining("but is '" + bad + "'");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "127.0.0.1, '127.0.0.1:80, localhost:80, PHYSICS.example.org, physics.example.org:8443, [::1]:9000'",
        "[0:0:0:0:0:0:0:1], '[0:0:0:0:0:0:0:1]:80, [::1]:80, localhost:80'",
        "192.168.1.5, 192.168.1.5:80",
    })
    void shouldAllowItsAddressAndNamedHosts(String address, String hosts) {
        assertThat(hosts.split(", ", -1)).isNotEmpty().allMatch(host -> NAMED.allowsHost(host, address, 80));
    }

    @ParameterizedTest
    @CsvSource({
        "127.0.0.1, 'physics.example.org.evil.example, physics.example.org:x, physics.example.org:80:80, a@physics.example.org'",
        "127.0.0.1, '[::1], [::1]:9001, [::1]:80, [evil]:80, [:80, :80, '",
        "[0:0:0:0:0:0:0:1], '[::2]:80, [::1]:81, ::1:80, 127.0.0.1:80'",
        "192.168.1.5, 'localhost:80, 127.0.0.1:80, 192.168.1.6:80'",
    })
    void shouldRefuseOtherHosts(String address, String hosts) {
        assertThat(hosts.split(", ", -1)).isNotEmpty().noneMatch(host -> NAMED.allowsHost(host, address, 80));
    }

    @Test
    void shouldAllowItsOriginAndThoseOfNamedHosts() {
        assertThat(List.of("https://physics.example.org:8443", "http://[::1]:9000", "http://own"))
                .allMatch(origin -> NAMED.allowsOrigin(origin, "own"));
        assertThat(List.of(
                        "null",
                        "https://own",
                        "ftp://physics.example.org",
                        "https://physics.example.org/",
                        "https://https://physics.example.org"))
                .noneMatch(origin -> NAMED.allowsOrigin(origin, "own"));
    }

    @Test
    void shouldRefuseHostsPrefixesAndTokensThatCannotBe() {
        for (String host : List.of("*.example.org", "https://x", "x/y", "", "x:", "x\r\nSet-Cookie: y", "::1")) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> builder.hosts("localhost", host))
                    .withMessageContaining("is '" + host + "'")
                    .withMessageContaining("a wildcard would");
        }
        for (String prefix : List.of("..", "/a/../b", "/./a", "a", "//", "/a?b", "/%2e%2e")) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> builder.prefix(prefix))
                    .withMessageContaining("'" + prefix + "'")
                    .withMessageContaining("such as /physics");
        }
        for (String token : List.of("a".repeat(21), "a".repeat(129), "a".repeat(30) + "/", "é".repeat(30))) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> builder.token(token))
                    .withMessageContaining("this one has " + token.length() + ", of which "
                            + token.replaceAll("[é/]", "").length());
        }
        builder.hosts().prefix("").prefix("/").prefix("/a.b/c~d/").token("-".repeat(128));
    }

    @Test
    void shouldWriteAddressesOfVersion6InBrackets() {
        assertThat(PageHandler.authority("0:0:0:0:0:0:0:1", 80)).isEqualTo("[0:0:0:0:0:0:0:1]:80");
    }
}
