# Installs the files beside the two programs, and makes Debian packages. The Makefile includes this file.

PACKAGE    := server/package
SHELLS     := bash zsh fish
sysconfdir ?= $(if $(filter /usr /usr/local,$(prefix)),/etc,$(prefix)/etc)
REVISION   ?= 1

# Two manual pages and the completions are made of what the programs and PROTOCOL.md say.
PAGES       := $(BUILD)/man/janggi-protocol.7 $(BUILD)/man/janggid.conf.5
COMPLETIONS := $(foreach p,janggi janggid,$(foreach s,$(SHELLS),$(BUILD)/completion/$(s)/$(p)))
PAGE_DATE    = $(shell sed -n 's/^\.Dd //p' server/janggid.8)
.PHONY: extras deb deb-check
extras: $(PAGES) $(COMPLETIONS)
$(BUILD)/man/janggi-protocol.7: common/PROTOCOL.md $(PACKAGE)/man_protocol.awk
	@mkdir -p $(@D)
	awk -f $(PACKAGE)/man_protocol.awk -v date='$(PAGE_DATE)' $< >$@
$(BUILD)/man/janggid.conf.5: $(BUILD)/janggid $(PACKAGE)/man_conf.awk
	@mkdir -p $(@D)
	$< --print-config | awk -f $(PACKAGE)/man_conf.awk -v date='$(PAGE_DATE)' >$@
define COMPLETION_RULE
$(BUILD)/completion/$(1)/%: $(BUILD)/% $(PACKAGE)/completion.sh
	@mkdir -p $$(@D)
	sh $(PACKAGE)/completion.sh $(1) $$< >$$@
endef
$(foreach s,$(SHELLS),$(eval $(call COMPLETION_RULE,$(s))))

SHARE = $(DESTDIR)$(prefix)/share
FILL  = sed -e 's,@BINDIR@,$(prefix)/bin,g' -e 's,@SYSCONFDIR@,$(sysconfdir),g' -e 's,\([ (]\)/etc/janggid,\1$(sysconfdir)/janggid,g'
install: install-extras
.PHONY: install-extras install-service
install-extras: extras
	install -d $(SHARE)/man/man5 $(SHARE)/man/man7 $(SHARE)/man/man8 $(SHARE)/applications $(SHARE)/bash-completion/completions \
	  $(SHARE)/zsh/site-functions $(SHARE)/fish/vendor_completions.d
	$(FILL) $(BUILD)/man/janggid.conf.5 >$(SHARE)/man/man5/janggid.conf.5
	$(FILL) server/janggid.8 >$(SHARE)/man/man8/janggid.8
	install -m 644 $(BUILD)/man/janggi-protocol.7 $(SHARE)/man/man7/
	install -m 644 client/package/janggi.desktop $(SHARE)/applications/
	install -d $(SHARE)/janggid/notify
	install -m 755 $(addprefix $(PACKAGE)/notify/,ntfy telegram discord mail) $(SHARE)/janggid/notify/
	install -m 644 $(PACKAGE)/notify/names $(SHARE)/janggid/notify/
	for p in janggi janggid; do \
	  install -m 644 $(BUILD)/completion/bash/$$p $(SHARE)/bash-completion/completions/$$p && \
	  install -m 644 $(BUILD)/completion/zsh/$$p $(SHARE)/zsh/site-functions/_$$p && \
	  install -m 644 $(BUILD)/completion/fish/$$p $(SHARE)/fish/vendor_completions.d/$$p.fish || exit 1; done

# The service of systemd, its user and its directory; settings that are there already stay.
ifeq ($(SYSTEM),Linux)
install: install-service
endif
install-service: build
	install -d $(addprefix $(DESTDIR)$(prefix)/lib/,systemd/system sysusers.d tmpfiles.d) $(DESTDIR)$(sysconfdir)
	$(FILL) $(PACKAGE)/janggid.service >$(DESTDIR)$(prefix)/lib/systemd/system/janggid.service
	install -m 644 $(PACKAGE)/sysusers.conf $(DESTDIR)$(prefix)/lib/sysusers.d/janggid.conf
	install -m 644 $(PACKAGE)/tmpfiles.conf $(DESTDIR)$(prefix)/lib/tmpfiles.d/janggid.conf
	[ -e $(DESTDIR)$(sysconfdir)/janggid.conf ] || \
	  $(BUILD)/janggid --data /var/lib/janggid --print-config >$(DESTDIR)$(sysconfdir)/janggid.conf

# What a person types after `make install`; a packager, who sets DESTDIR, does not read it.
.PHONY: install-next
install-next:
	@printf '%s\n' '' 'janggi and janggid are installed. Next:' \
	  '  janggi                play the computer; man janggi' \
	  '  janggid --invite      a game with a friend: prints a link for each' \
	  $(if $(filter Linux,$(SYSTEM)),'As a service$(comma) whose settings are in $(sysconfdir)/janggid.conf$(comma) as root:' \
	  '  systemd-sysusers && systemd-tmpfiles --create && systemctl daemon-reload' \
	  '  systemctl enable --now janggid' \
	  '  janggid ctl owner --config $(sysconfdir)/janggid.conf         a link that makes you its owner' \
	  '  janggid ctl invite door --config $(sysconfdir)/janggid.conf   a link for your friends')

# janggi_VERSION-REVISION_ARCH.deb and janggid_..., in $(BUILD)/deb.
deb: build extras
	@MAKE='$(MAKE)' sh $(PACKAGE)/deb.sh $(BUILD) $(VERSION)-$(REVISION)
# Installs, uses, upgrades and purges them in a clean root; this needs root and a Debian mirror.
deb-check:
	@sh tests/host/package.sh $(BUILD) --root
