#pragma once

#include <string_view>

/// The names of CDP commands and events: each stands here and nowhere else.
/// Reference: the protocol description that Chromium serves at /json/protocol.
namespace agentlock::cdp {

// Commands.
inline constexpr std::string_view kBrowserClose = "Browser.close";
inline constexpr std::string_view kBrowserGetVersion = "Browser.getVersion";
inline constexpr std::string_view kBrowserSetDownloadBehavior = "Browser.setDownloadBehavior";

inline constexpr std::string_view kTargetSetDiscoverTargets = "Target.setDiscoverTargets";
inline constexpr std::string_view kTargetCreateTarget = "Target.createTarget";
inline constexpr std::string_view kTargetAttachToTarget = "Target.attachToTarget";
inline constexpr std::string_view kTargetCloseTarget = "Target.closeTarget";
inline constexpr std::string_view kTargetGetTargets = "Target.getTargets";
inline constexpr std::string_view kTargetSetAutoAttach = "Target.setAutoAttach";

inline constexpr std::string_view kFetchEnable = "Fetch.enable";
inline constexpr std::string_view kFetchContinueRequest = "Fetch.continueRequest";
inline constexpr std::string_view kFetchFulfillRequest = "Fetch.fulfillRequest";
inline constexpr std::string_view kFetchContinueWithAuth = "Fetch.continueWithAuth";

inline constexpr std::string_view kPageEnable = "Page.enable";
inline constexpr std::string_view kPageNavigate = "Page.navigate";
inline constexpr std::string_view kPageStopLoading = "Page.stopLoading";
inline constexpr std::string_view kPageGetFrameTree = "Page.getFrameTree";
inline constexpr std::string_view kPageGetNavigationHistory = "Page.getNavigationHistory";
inline constexpr std::string_view kPageNavigateToHistoryEntry = "Page.navigateToHistoryEntry";
inline constexpr std::string_view kPageHandleJavaScriptDialog = "Page.handleJavaScriptDialog";
inline constexpr std::string_view kPageSetLifecycleEventsEnabled = "Page.setLifecycleEventsEnabled";
inline constexpr std::string_view kPageSetInterceptFileChooserDialog =
    "Page.setInterceptFileChooserDialog";
inline constexpr std::string_view kPageAddScriptToEvaluateOnNewDocument =
    "Page.addScriptToEvaluateOnNewDocument";
inline constexpr std::string_view kPageCreateIsolatedWorld = "Page.createIsolatedWorld";

inline constexpr std::string_view kInspectorEnable = "Inspector.enable";

inline constexpr std::string_view kNetworkEnable = "Network.enable";

inline constexpr std::string_view kWebAuthnEnable = "WebAuthn.enable";

inline constexpr std::string_view kRuntimeEvaluate = "Runtime.evaluate";
inline constexpr std::string_view kRuntimeCallFunctionOn = "Runtime.callFunctionOn";
inline constexpr std::string_view kRuntimeRunIfWaitingForDebugger =
    "Runtime.runIfWaitingForDebugger";

inline constexpr std::string_view kDOMGetDocument = "DOM.getDocument";
inline constexpr std::string_view kDOMDescribeNode = "DOM.describeNode";
inline constexpr std::string_view kDOMResolveNode = "DOM.resolveNode";
inline constexpr std::string_view kDOMFocus = "DOM.focus";
inline constexpr std::string_view kDOMGetBoxModel = "DOM.getBoxModel";
inline constexpr std::string_view kDOMGetNodeForLocation = "DOM.getNodeForLocation";
inline constexpr std::string_view kDOMGetFrameOwner = "DOM.getFrameOwner";

inline constexpr std::string_view kInputDispatchMouseEvent = "Input.dispatchMouseEvent";
inline constexpr std::string_view kInputDispatchKeyEvent = "Input.dispatchKeyEvent";
inline constexpr std::string_view kInputInsertText = "Input.insertText";

inline constexpr std::string_view kEmulationSetFocusEmulationEnabled =
    "Emulation.setFocusEmulationEnabled";

// Events.
inline constexpr std::string_view kTargetTargetCreated = "Target.targetCreated";
inline constexpr std::string_view kTargetTargetDestroyed = "Target.targetDestroyed";
inline constexpr std::string_view kTargetTargetCrashed = "Target.targetCrashed";
inline constexpr std::string_view kTargetAttachedToTarget = "Target.attachedToTarget";
inline constexpr std::string_view kTargetDetachedFromTarget = "Target.detachedFromTarget";

inline constexpr std::string_view kFetchRequestPaused = "Fetch.requestPaused";
inline constexpr std::string_view kFetchAuthRequired = "Fetch.authRequired";

inline constexpr std::string_view kInspectorDetached = "Inspector.detached";
inline constexpr std::string_view kInspectorTargetCrashed = "Inspector.targetCrashed";

inline constexpr std::string_view kPageFrameAttached = "Page.frameAttached";
inline constexpr std::string_view kPageFrameDetached = "Page.frameDetached";
inline constexpr std::string_view kPageFrameNavigated = "Page.frameNavigated";
inline constexpr std::string_view kPageNavigatedWithinDocument = "Page.navigatedWithinDocument";
inline constexpr std::string_view kPageFrameRequestedNavigation = "Page.frameRequestedNavigation";
inline constexpr std::string_view kPageFrameStartedNavigating = "Page.frameStartedNavigating";
inline constexpr std::string_view kPageFrameStartedLoading = "Page.frameStartedLoading";
inline constexpr std::string_view kPageFrameStoppedLoading = "Page.frameStoppedLoading";
inline constexpr std::string_view kPageWindowOpen = "Page.windowOpen";
inline constexpr std::string_view kPageJavascriptDialogOpening = "Page.javascriptDialogOpening";

inline constexpr std::string_view kNetworkRequestWillBeSent = "Network.requestWillBeSent";
inline constexpr std::string_view kNetworkLoadingFinished = "Network.loadingFinished";
inline constexpr std::string_view kNetworkLoadingFailed = "Network.loadingFailed";

}  // namespace agentlock::cdp
